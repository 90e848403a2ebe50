"""How numbers are written: a change never prints as 0, a value never without its n."""

import pytest
from comparisons import comparison, realistic, row
from hypothesis import given
from hypothesis import strategies as st

from bench.diff.model import Gate, Interval
from bench.diff.words import (
    corpus_text,
    latency_texts,
    p_text,
    record_texts,
    row_counts,
    signed,
    state_name,
    top_rows,
    values,
    verdict,
    worst,
)


@pytest.mark.parametrize(
    ("old", "new", "written"),
    [
        (0.5, 0.75, ("0.500", "0.750")),
        (0.512345, 0.512348, ("0.512345", "0.512348")),
        (0.5, 0.5, ("0.500", "0.500")),
        (0.1 + 0.2, 0.3, ("0.30000000000000004", "0.3")),
    ],
)
def test_both_values_are_told_apart(old: float, new: float, written: tuple[str, str]) -> None:
    assert values(old, new) == written


@pytest.mark.parametrize(
    ("change", "written"),
    [
        (0.018, "+0.018"),
        (-0.018, "−0.018"),
        (0, "0"),
        (0.000003, "+0.000003"),
        (-4e-10, "−4.0e-10"),
        (0.0005, "+0.001"),
    ],
)
def test_a_change_has_its_sign_and_is_never_0(change: float, written: str) -> None:
    assert signed(change) == written


@given(st.floats(-1, 1, allow_subnormal=False).filter(bool))
def test_no_change_prints_as_0(change: float) -> None:
    assert any(digit in "123456789" for digit in signed(change).split("e")[0])


def test_a_value_stands_with_what_it_is_of() -> None:
    assert record_texts(row(0.5, 0.75)) == (("0.500", "100/200, n=200"), ("0.750", "150/200, n=198"))
    assert record_texts(row(None, 0.75)) == (("none", ""), ("0.750", "150/200, n=198"))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (row(0.5, 0.6), "better"),
        (row(0.6, 0.5), "worse"),
        (row(0.6, 0.5, measure="false_recall"), "better"),
        (row(0.5, 0.5), "same"),
        (row(None, 0.5, why="not measured in main"), "new (not measured in main)"),
        (row(0.5, 0.6, status="not_comparable", why="none shared"), "not comparable (none shared)"),
    ],
)
def test_what_a_row_is_is_said_in_words(made, said: str) -> None:
    assert verdict(made) == said


@pytest.mark.parametrize(("p", "said"), [(0.0312, "p = 0.031"), (0.0009, "p < 0.001"), (1.0, "p = 1.000")])
def test_p(p: float, said: str) -> None:
    assert p_text(row(0.5, 0.6, interval=Interval(0.0, 0.1, p))) == said


def test_rows_are_counted_by_what_became_of_them() -> None:
    assert row_counts(realistic()) == (
        "Of 129 rows, over all measures: 70 changed, 1 new, 1 removed, 1 not comparable, 56 unchanged."
    )
    assert row_counts(comparison()) == "There are no rows to compare."


def test_on_top_stand_all_modalities_and_what_changed() -> None:
    same, changed = row(0.5, 0.5), row(0.5, 0.6, modality="pdf")
    others = [row(0.5, 0.5, modality="code"), row(0.5, 0.6, measure="recall@3", interval=None)]
    assert top_rows(comparison(rows=[same, changed, *others])) == [same, changed]
    assert top_rows(comparison(rows=[same, others[0]])) == [same]


@pytest.mark.parametrize(
    ("name", "commit", "said"),
    [
        ("main", "0123456789" * 4, "main (0123456)"),
        ("0123456789" * 4, "0123456789" * 4, "0123456"),
        ("workspace", "workspace", "workspace"),
    ],
)
def test_states_are_named(name: str, commit: str, said: str) -> None:
    assert state_name(name, commit) == said


def test_the_corpus_is_told_only_where_it_changed() -> None:
    assert corpus_text(comparison(corpus={"old": 9, "new": 9, "added": 0, "removed": 0, "changed": 0})) == ""
    told = comparison(corpus={"old": 9, "new": 9, "added": 2, "removed": 2, "changed": 0})
    assert corpus_text(told) == "9 entries before, 9 entries now, 2 added, 2 removed"


def test_latency_stands_with_n_and_an_absent_percentile_is_said() -> None:
    timed = {"bm25": {"old": {"all": {"n": 3, "p50_ms": 0.5}}}}
    assert latency_texts(comparison(latency=timed)) == ["bm25: old p50 0.5 ms, p95 absent ms, n=3, new not timed"]


@pytest.mark.parametrize(
    ("outcomes", "code"), [([], 0), (["pass"], 0), (["cannot-compare"], 2), (["cannot-compare", "fail"], 1)]
)
def test_regressed_outweighs_cannot_compare(outcomes: list[str], code: int) -> None:
    made = [comparison(gates=[Gate("rule", outcome, "")]) for outcome in outcomes]
    assert worst(made) == code
