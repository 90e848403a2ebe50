"""The coefficients: pinned numbers, every edge, and other implementations where they are defined."""

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vote_sets import FLEISS, LETTERS, of_counts, sets, single

from bench.agreement.coefficients import cohen_kappa, fleiss_kappa, interval, nominal_alpha, ordinal_alpha, value
from bench.agreement.measure import measure
from bench.agreement.votes import Vote, Votes

# Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, C: 4 observers, 12 units, missing data.
KRIPPENDORFF = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]


def counted(rows: Sequence[Sequence[int]]) -> Any:
    return np.array(rows, np.int64)


def krippendorff_units() -> list[list[int]]:
    return [
        [sum(observer[unit] == str(grade) for observer in KRIPPENDORFF) for grade in range(1, 6)] for unit in range(12)
    ]


@pytest.mark.parametrize(
    ("counts", "kappa", "raw"),
    [
        (FLEISS, 0.20993070442195522, None),
        ([[3, 0]] * 9 + [[2, 1]], -0.0345, 0.933),
        ([[3, 0]] * 47 + [[2, 1]] * 3, -0.0204, 0.96),
        ([[3, 0]] * 47 + [[0, 3]] + [[2, 1]] * 2, 0.5862, 0.973),
        ([[3, 0]] * 4 + [[0, 3]] * 4 + [[2, 1], [1, 2]], 0.7333, None),
        ([[3, 0]] * 4 + [[0, 3]] * 4 + [[2, 1]] * 2, 0.7321, None),
    ],
)
def test_fleiss_kappa_is_as_pinned(counts: list[list[int]], kappa: float, raw: float | None) -> None:
    report = measure(of_counts(counts))
    assert report["fleiss_kappa"]["value"] == pytest.approx(kappa, abs=1e-9 if kappa == 0.20993070442195522 else 5e-5)
    assert raw is None or report["raw_agreement"]["value"] == pytest.approx(raw, abs=5e-4)
    assert report["fleiss_kappa"]["n_items"] == len(counts)
    assert report["fleiss_kappa"]["n_raters"] == sum(counts[0])


def test_fleiss_kappa_to_the_last_digit() -> None:
    assert value(fleiss_kappa, counted(FLEISS)) == pytest.approx(0.20993070442195522, abs=1e-15)


def test_krippendorff_alpha_is_as_published() -> None:
    units = counted([unit for unit in krippendorff_units() if sum(unit) > 1])
    assert value(nominal_alpha, units) == pytest.approx(0.743, abs=5e-4)
    assert value(ordinal_alpha, units) == pytest.approx(0.815, abs=5e-4)


def test_cohen_kappa_by_hand() -> None:
    # 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: observed 0.7, by chance 0.5.
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    assert cohen_kappa(pairs) == pytest.approx(0.4)
    assert cohen_kappa([("y", "y")] * 3) is None
    assert cohen_kappa([]) is None
    assert cohen_kappa([("y", "n")] * 3) == 0.0


def undefined(record: dict[str, Any]) -> bool:
    assert ("value" in record) != ("undefined" in record)
    assert "low" not in record or "value" in record
    return record.get("undefined") == 1


def test_all_agree_is_undefined_with_the_raw_agreement_beside_it() -> None:
    report = measure(of_counts([[3, 0]] * 5))
    for key in ("fleiss_kappa", "krippendorff_alpha"):
        assert undefined(report[key])
        assert "one category" in report[key]["reason"]
        assert report[key]["raw_agreement"] == 1.0
    assert report["raw_agreement"]["value"] == 1.0
    assert undefined(report["annotators"]["r00"])
    assert report["annotators"]["r00"]["raw_agreement"] == 1.0


def test_all_agree_on_several_categories_is_one() -> None:
    report = measure(of_counts([[3, 0], [0, 3]]))
    assert report["fleiss_kappa"]["value"] == report["krippendorff_alpha"]["value"] == 1.0


def test_no_items() -> None:
    report = measure(Votes([], ("a", "b")))
    assert report["n_items"] == report["n_raters"] == report["n_votes"] == 0
    assert report["shares"] == report["annotators"] == {}
    for key in ("raw_agreement", "fleiss_kappa", "krippendorff_alpha"):
        assert undefined(report[key])
        assert report[key]["reason"] == "there are no items"


def test_one_rater() -> None:
    report = measure(single({"p": "a", "q": "b"}))
    assert report["n_items"] == 2
    for key in ("raw_agreement", "fleiss_kappa", "krippendorff_alpha"):
        assert undefined(report[key])
        assert report[key]["reason"] == "no item has two votes"
    assert undefined(report["annotators"]["r0"])


def test_unequal_raters_name_an_item_and_leave_alpha() -> None:
    report = measure(single({"p": "aaa", "q": "bb.", "r": "abb", "alone": "a.."}))
    assert undefined(report["fleiss_kappa"])
    assert "'q' has 2" in report["fleiss_kappa"]["reason"]
    assert report["raw_agreement"]["n_items"] == report["krippendorff_alpha"]["n_items"] == 3
    # Pairable votes: 4 of a, 4 of b; one unit of three disagrees: 1 - 7 * (2 * 2 / 2) / (2 * 4 * 4).
    assert report["krippendorff_alpha"]["value"] == pytest.approx(1 - 7 * 2 / 32)


def test_a_category_that_nobody_used_changes_no_coefficient_but_is_reported() -> None:
    few, many = (measure(single({"p": "aab", "q": "bbb"}, categories)) for categories in ("ab", "abcd"))
    assert few["fleiss_kappa"] == many["fleiss_kappa"]
    assert many["shares"]["d"] == {"value": 0.0, "numerator": 0, "denominator": 6, "of": "0/6"}


def test_shares_and_prevalence() -> None:
    report = measure(of_counts([[3, 0]] * 47 + [[2, 1]] * 3))
    assert report["shares"]["a"]["of"] == "147/150"
    assert report["prevalence"] == 0.98


def test_each_annotator_against_the_others() -> None:
    votes = single({"p": "aaab", "q": "bbba", "r": "aaaa", "s": "bbbb", "t": "abab"})
    found = measure(votes)["annotators"]
    # On t the others of any annotator are split two to one, and the one is what the annotator said.
    assert [found[f"r{place}"]["n_items"] for place in range(4)] == [5, 5, 5, 5]
    assert found["r0"]["raw_agreement"] == 0.8
    assert found["r3"]["raw_agreement"] == 0.4
    assert found["r3"]["value"] == pytest.approx(-0.153846154)
    tie = measure(single({"p": "aab", "q": "bba", "r": "aaa"}))["annotators"]
    assert tie["r0"]["no_consensus"] == 2
    assert tie["r2"]["no_consensus"] == 0


def test_votes_without_names_say_nothing_of_annotators() -> None:
    votes = of_counts([[2, 1], [3, 0]])._replace(named=False)
    report = measure(votes)
    assert "annotators" not in report
    assert report["n_raters"] == 3


def test_sets_of_labels_are_measured_whole_and_by_category() -> None:
    report = measure(sets({"p": ["ab", "ab", "a"], "q": ["c", "c", "c"], "r": ["", "", "a"]}))
    assert report["raw_agreement"]["value"] == pytest.approx((1 / 3 + 1 + 1 / 3) / 3)
    assert report["shares"]["a"]["of"] == "4/9"
    assert report["by_category"]["c"]["fleiss_kappa"]["value"] == 1.0
    named_a = measure(single({"p": "yyy", "q": "nnn", "r": "nny"}, "ny"))
    assert report["by_category"]["a"]["fleiss_kappa"] == named_a["fleiss_kappa"]


def test_names_with_dots_are_no_steps_of_a_path() -> None:
    votes = Votes([Vote("p", "j.doe", ("v1.0",)), Vote("p", "x%", ("v2",))], ("v1.0", "v2"))
    report = measure(votes)
    assert set(report["annotators"]) == {"j%2Edoe", "x%25"}
    assert set(report["shares"]) == {"v1%2E0", "v2"}


def test_an_interval_holds_the_value_and_shrinks_with_items() -> None:
    few, many = (counted(([[3, 0]] * 4 + [[0, 3]] * 4 + [[2, 1]] * 2) * times) for times in (2, 20))
    low, high = interval(fleiss_kappa, few) or (0, 0)
    assert low < 0.7321 < high
    closer = interval(fleiss_kappa, many) or (0, 0)
    assert closer[1] - closer[0] < (high - low) / 2


def test_an_interval_is_that_of_drawing_items() -> None:
    counts = counted(FLEISS)
    rng = random.Random(7)
    drawn = sorted(value(fleiss_kappa, counts[rng.choices(range(10), k=10)]) or 0 for _ in range(4000))
    low, high = interval(fleiss_kappa, counts) or (0, 0)
    assert low == pytest.approx(drawn[100], abs=0.02)
    assert high == pytest.approx(drawn[3900], abs=0.02)


def test_no_interval_where_resamples_leave_the_coefficient_undefined() -> None:
    assert interval(fleiss_kappa, counted([[3, 0]] * 9 + [[2, 1]])) is None
    assert interval(fleiss_kappa, counted([[2, 1]])) is None
    report = measure(of_counts([[3, 0]] * 9 + [[2, 1]]))
    assert "low" not in report["fleiss_kappa"]


def by_pairs(votes: Votes) -> tuple[Fraction, Fraction | None]:
    """Raw agreement and nominal alpha from pairs of votes, in fractions: nothing shared with the code under test."""
    units: dict[str, list[str]] = {}
    for vote in votes.votes:
        units.setdefault(vote.item, []).append(vote.labels[0])
    able = [labels for labels in units.values() if len(labels) > 1]
    raw = sum(
        Fraction(sum(a == b for a, b in combinations(unit, 2)), len(unit) * (len(unit) - 1) // 2) for unit in able
    )
    every = [label for unit in able for label in unit]
    observed = sum(Fraction(2 * sum(a != b for a, b in combinations(unit, 2)), len(unit) - 1) for unit in able)
    expected = Fraction(2 * sum(a != b for a, b in combinations(every, 2)), len(every) - 1)
    return raw / len(able), 1 - observed / expected if expected else None


tables = st.lists(st.text("abc.", min_size=2, max_size=5), min_size=1, max_size=12).filter(
    lambda rows: any(len(row.replace(".", "")) > 1 for row in rows)
)


@settings(max_examples=60, deadline=None)
@given(rows=tables)
def test_numbers_are_those_of_counting_pairs(rows: list[str]) -> None:
    votes = single({f"i{place}": row for place, row in enumerate(rows)})
    report = measure(votes)
    raw, alpha = by_pairs(votes)
    assert report["raw_agreement"]["value"] == pytest.approx(float(raw), abs=1e-8)
    if alpha is None:
        assert undefined(report["krippendorff_alpha"])
    else:
        assert report["krippendorff_alpha"]["value"] == pytest.approx(float(alpha), abs=1e-8)


@settings(max_examples=30, deadline=None)
@given(rows=tables, order=st.randoms(use_true_random=False), ordinal=st.booleans())
def test_order_and_names_change_nothing(rows: list[str], order: random.Random, ordinal: bool) -> None:
    votes = single({f"i{place}": row for place, row in enumerate(rows)})._replace(ordinal=ordinal)
    lines = list(votes.votes)
    order.shuffle(lines)
    assert measure(votes._replace(votes=lines)) == measure(votes)
    annotators = sorted({vote.annotator for vote in lines})
    others = annotators.copy()
    order.shuffle(others)
    items = sorted({vote.item for vote in lines})
    places = items.copy()
    order.shuffle(places)
    named, moved = dict(zip(annotators, others, strict=True)), dict(zip(items, places, strict=True))
    renamed = [Vote(moved[vote.item], named[vote.annotator], vote.labels) for vote in lines]
    old, new = measure(votes), measure(votes._replace(votes=renamed))
    for key in ("raw_agreement", "krippendorff_alpha", "shares", "items_by_votes"):
        assert new[key] == old[key]
    assert {named[name]: record for name, record in old["annotators"].items()} == new["annotators"]
    assert new["fleiss_kappa"].get("value") == old["fleiss_kappa"].get("value")


@settings(max_examples=30, deadline=None)
@given(rows=tables, order=st.permutations(range(3)))
def test_the_order_of_nominal_categories_changes_nothing(rows: list[str], order: Sequence[int]) -> None:
    votes = single({f"i{place}": row for place, row in enumerate(rows)})
    changed = votes._replace(categories=tuple(LETTERS[place] for place in order))
    for key in ("raw_agreement", "fleiss_kappa", "krippendorff_alpha"):
        # The resamples are drawn over other rows, so that intervals move within their noise.
        old, new = (
            {k: v for k, v in measure(each)[key].items() if k not in ("low", "high")} for each in (votes, changed)
        )
        assert old == pytest.approx(new)


equal = st.integers(2, 5).flatmap(
    lambda raters: st.lists(st.text("abc", min_size=raters, max_size=raters), min_size=1, max_size=10)
)


@pytest.fixture(scope="module")
def statsmodels() -> Any:
    return pytest.importorskip("statsmodels.stats.inter_rater")


@pytest.fixture(scope="module")
def library() -> Any:
    return pytest.importorskip("krippendorff")


@settings(max_examples=60, deadline=None)
@given(rows=equal)
def test_fleiss_kappa_is_that_of_statsmodels(statsmodels: Any, rows: list[str]) -> None:
    report = measure(single({f"i{place}": row for place, row in enumerate(rows)}))["fleiss_kappa"]
    counts = counted([[row.count(letter) for letter in "abc"] for row in rows])
    if undefined(report):
        assert len(set("".join(rows))) == 1
    else:
        assert report["value"] == pytest.approx(statsmodels.fleiss_kappa(counts), abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(rows=tables, ordinal=st.booleans())
def test_krippendorff_alpha_is_that_of_the_library(library: Any, rows: list[str], ordinal: bool) -> None:
    votes = single({f"i{place}": row for place, row in enumerate(rows)})._replace(ordinal=ordinal)
    report = measure(votes)["krippendorff_alpha"]
    counts = counted([[row.count(letter) for letter in "abc"] for row in rows])
    if undefined(report):
        assert len(set("".join(row for row in rows if len(row.replace(".", "")) > 1)) - {"."}) == 1
    else:
        level = "ordinal" if ordinal else "nominal"
        theirs = library.alpha(value_counts=counts, level_of_measurement=level)
        assert report["value"] == pytest.approx(theirs, abs=1e-8)
