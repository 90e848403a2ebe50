"""The split by cause: a worked example with pinned numbers, each cause alone, and parts that always sum."""

import json
from pathlib import Path

import pytest
from hand_made import (
    EVERY,
    LABELS_NEW,
    LABELS_OLD,
    OLD,
    RUN_NEW,
    RUN_OLD,
    Made,
    compared,
    compared_on_disk,
    parts_of,
    row_of,
    split_of,
)
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bench.diff.causes import CAUSES, points, sentence
from bench.diff.compare import Options
from bench.diff.model import Part
from bench.diff.words import HEADLINES

E5 = {
    # measure: M(L0,S0), M(L0,S1), M(L1,S0), M(L1,S1)
    "P@1": (0.50, 0.25, 0.75, 0.75),
    "nDCG@10": (0.8155, 0.7232, 0.9077, 0.9077),
    "MRR": (0.75, 0.625, 0.875, 0.875),
}


@pytest.mark.parametrize("measure", E5)
def test_the_worked_example(tmp_path: Path, measure: str) -> None:
    comparison = compared(tmp_path, OLD, Made(LABELS_NEW, RUN_NEW))
    old_old, old_new, new_old, new_new = E5[measure]
    [again] = [one for one in comparison.rescored if (one.measure, one.modality) == (measure, "all")]
    found = (again.old_run_old_labels, again.new_run_old_labels, again.old_run_new_labels, again.new_run_new_labels)
    assert found == pytest.approx((old_old, old_new, new_old, new_new), abs=5e-5)
    parts = parts_of(comparison, measure)
    assert parts == pytest.approx(
        {
            "system": old_new - old_old,
            "labels": new_old - old_old,
            "interaction": new_new - old_new - new_old + old_old,
        },
        abs=1.1e-4,
    )
    assert sum(parts.values()) == pytest.approx(split_of(comparison, measure).change, abs=1e-15)


def test_the_sentence_of_the_worked_example(tmp_path: Path) -> None:
    comparison = compared(tmp_path, OLD, Made(LABELS_NEW, RUN_NEW), EVERY._replace(measure="P@1"))
    said = (
        "P@1 rose by 25.0 points: -25.0 from the system, +25.0 from 2 changed labels, "
        "+25.0 from system and labels together."
    )
    assert split_of(comparison, "P@1").sentence == said
    assert comparison.headline == f"mine, dev: {said}"


def test_only_labels_changed(tmp_path: Path) -> None:
    comparison = compared(tmp_path, OLD, Made(LABELS_NEW, RUN_OLD))
    assert parts_of(comparison, "P@1") == {"labels": 0.25}
    assert [part.n for part in split_of(comparison, "P@1").parts if part.cause in ("system", "labels")] == [0, 2]


def test_only_the_system_changed(tmp_path: Path) -> None:
    comparison = compared(tmp_path, OLD, Made(LABELS_OLD, RUN_NEW))
    assert parts_of(comparison, "P@1") == {"system": -0.25}
    assert [part.n for part in split_of(comparison, "P@1").parts if part.cause in ("system", "labels")] == [3, 0]


def test_a_query_that_entered_and_one_that_left(tmp_path: Path) -> None:
    without = {name: gold for name, gold in LABELS_OLD.items() if name != "q1"}
    comparison = compared(tmp_path, OLD, Made(without | {"q5": "b"}, RUN_OLD | {"q5": "b"}))
    # q1 (1.0) leaves three queries of 1/3, then q5 (1.0) enters.
    assert parts_of(comparison, "P@1") == pytest.approx(
        {"queries removed": 1 / 3 - 1 / 2, "queries added": 1 / 2 - 1 / 3}
    )
    assert split_of(comparison, "P@1").shared == 3
    assert row_of(comparison, "P@1").status == "same"
    assert (
        "P@1 did not change: -16.7 from 1 removed query, +16.7 from 1 added query."
        in split_of(comparison, "P@1").sentence
    )
    assert [(change.kind, change.query_id) for change in comparison.labels] == [("removed", "q1"), ("added", "q5")]


def test_a_query_that_became_unanswerable_is_a_change_of_labels(tmp_path: Path) -> None:
    comparison = compared(tmp_path, OLD, OLD.but(gold=LABELS_OLD | {"q1": ""}))
    row = row_of(comparison, "P@1")
    assert (row.old["denominator"], row.new["denominator"]) == (4, 3)
    assert parts_of(comparison, "P@1") == pytest.approx({"labels": 1 / 3 - 1 / 2})


def test_an_entry_that_left_the_corpus(tmp_path: Path) -> None:
    """Without h, the old run's second hit on q4 is its first; the new run finds just that."""
    smaller = OLD.but(corpus=tuple("abcdefg"), ranks=RUN_OLD | {"q4": "g"})
    comparison = compared(tmp_path, OLD, smaller)
    assert parts_of(comparison, "P@1") == {"corpus removed": 0.25}
    back = compared(tmp_path / "back", smaller, OLD)
    assert parts_of(back, "P@1") == {"corpus added": -0.25}
    assert back.corpus == {"old": 7, "new": 8, "added": 1, "removed": 0, "changed": 0}


def test_a_missing_line_takes_the_worst_value(tmp_path: Path) -> None:
    lines = {name: ranks for name, ranks in RUN_OLD.items() if name != "q1"}
    comparison = compared(tmp_path, OLD, OLD.but(ranks=lines))
    assert parts_of(comparison, "P@1") == {"system": -0.25}


def test_a_reworded_query_keeps_its_own_ranking(tmp_path: Path) -> None:
    """Another wording is another task: what its ranking does is no change of the system."""
    asked = {"old": "Which picture shows the red boat?", "new": "Which picture shows the red boats?"}
    old = Made(
        {"q-old": "a", "q2": "c"}, {"q-old": "ab", "q2": "c"}, items={"q-old": "7"}, questions={"q-old": asked["old"]}
    )
    new = Made(
        {"q-new": "a", "q2": "c"}, {"q-new": "ba", "q2": "c"}, items={"q-new": "7"}, questions={"q-new": asked["new"]}
    )
    comparison = compared(tmp_path, old, new)
    [change] = comparison.labels
    assert (change.kind, change.before_id, change.query_id) == ("reworded", "q-old", "q-new")
    assert change.fields == {"question": [asked["old"], asked["new"]]}
    assert parts_of(comparison, "P@1") == {"labels": -0.5}
    assert split_of(comparison, "P@1").shared == 2
    flips = row_of(comparison, "P@1").flips
    assert (flips.won, flips.lost, flips.tied) == ([], ["q-new"], 1)


def test_a_moved_time_is_a_change_of_labels(tmp_path: Path) -> None:
    comparison = compared(tmp_path, OLD, OLD.but(times={"a": "2026-06-01T00:00:00Z"}))
    assert parts_of(comparison, "temporal_correctness") == {"labels": -0.25}
    assert comparison.corpus["changed"] == 1


def test_an_answer_alone_has_no_effect_and_says_so(tmp_path: Path) -> None:
    comparison = compared(tmp_path, OLD, Made(LABELS_NEW, RUN_OLD, answers={"q1": "that"}))
    by_query = {change.query_id: change for change in comparison.labels}
    assert "effect on them is 0" in by_query["q1"].why
    assert by_query["q2"].why == ""
    [labels] = [part for part in split_of(comparison, "P@1").parts if part.cause == "labels"]
    assert (labels.n, labels.what) == (
        2, "queries with changed labels; 1 more in the answer alone, which no retrieval measure reads",
    )  # fmt: skip


def test_scores_recorded_by_another_scorer(tmp_path: Path) -> None:
    compared(tmp_path, OLD, OLD)
    path = tmp_path / "new/suites/mini/metrics/mine/scores.json"
    document = json.loads(path.read_bytes())
    record = document["all"]["dev"]["P@1"]
    record.update(value=0.75, numerator=3.0, of="3.0/4, n=4")
    path.write_text(json.dumps(document))
    comparison = compared_on_disk(tmp_path)
    assert parts_of(comparison, "P@1") == {"scorer": 0.25}
    assert any("`bench doctor`" in note for note in comparison.notes)


def test_no_shared_query_cannot_be_split(tmp_path: Path) -> None:
    comparison = compared(tmp_path, OLD, Made({"other": "b"}, {"other": "ab"}))
    assert row_of(comparison, "P@1").status == "not_comparable"
    assert row_of(comparison, "P@1").change is None
    assert "4 before, 1 now, none shared" in row_of(comparison, "P@1").why
    assert comparison.splits == []


QUERIES, SOURCES = ("q1", "q2", "q3", "q4", "q5"), "abcdef"
chosen = st.lists(st.sampled_from(SOURCES), unique=True, max_size=4)
# q1 is always answerable, found and shared, so that every state can be scored.
states = st.builds(
    lambda gold, ranks, gone, times: Made(
        {"q1": "a"} | {name: [s for s in found if s not in gone] for name, found in gold.items()},
        {"q1": "ba"} | {name: [s for s in found if s not in gone] for name, found in ranks.items()},
        corpus=[source for source in SOURCES if source not in gone],
        times=dict.fromkeys(times, "2026-06-01T00:00:00Z"),
    ),
    st.dictionaries(st.sampled_from(QUERIES[1:]), chosen, min_size=1),
    st.dictionaries(st.just("q1"), st.just(["b", "a"])),
    st.sets(st.sampled_from("cdef"), max_size=2),
    st.sets(st.sampled_from(SOURCES), max_size=2),
)


@st.composite
def ranked_states(draw: st.DrawFn) -> Made:
    made = draw(states)
    ranks = {name: draw(st.permutations(list(made.corpus))) for name in made.gold if draw(st.booleans())}
    return made.but(ranks={**ranks, "q1": made.ranks["q1"]})


# Two states are written and scored an example, so nothing is shrunk: a failure shows both states.
@settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(old=ranked_states(), new=ranked_states())
def test_parts_sum_to_the_change_whatever_changed(
    tmp_path_factory: pytest.TempPathFactory, old: Made, new: Made
) -> None:
    comparison = compared(tmp_path_factory.mktemp("states"), old, new, Options())
    for split in comparison.splits:
        row = row_of(comparison, split.measure, split.modality)
        assert [part.cause for part in split.parts] == list(CAUSES)
        assert sum(part.change for part in split.parts) == pytest.approx(row.change, abs=1e-12)
        scorer = split.parts[-1]
        assert (scorer.change, scorer.n) == (0, 0)
    changed = {(row.modality, row.measure) for row in comparison.rows if row.status == "changed"}
    assert changed & {("all", measure) for measure in HEADLINES} <= {
        (split.modality, split.measure) for split in comparison.splits
    }


def test_no_number_of_a_sentence_prints_as_zero() -> None:
    parts = [Part("system", 0.0123, 5, ""), Part("labels", -0.000004, 1, "")]
    said = sentence("recall@10", 0.0123 - 0.000004, parts)
    assert said == "recall@10 rose by 1.2296 points: +1.2300 from the system, -0.0004 from 1 changed label."
    assert sentence("MRR", 0.0, []) == "MRR did not change."
    assert points(1e-9, [1e-9]) == "0.0000001"


@pytest.mark.parametrize(
    ("cause", "n", "named"),
    [
        ("labels", 230, "230 changed labels"),
        ("queries added", 1, "1 added query"),
        ("queries removed", 2, "2 removed queries"),
    ],
)
def test_a_sentence_counts_what_changed(cause: str, n: int, named: str) -> None:
    parts = [Part("system", 0.006, 3, ""), Part(cause, 0.012, n, "")]
    said = f"recall@10 rose by 1.8 points: 0.6 from the system, 1.2 from {named}."
    assert sentence("recall@10", 0.018, parts) == said
