"""The gate's outcomes, and gold from votes."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vote_sets import FLEISS, of_counts, sets, single

from bench.agreement.declare import Declaration, Settings
from bench.agreement.gate import Bar, bar, deciding, judge, warnings
from bench.agreement.gold import decide, item_lines
from bench.agreement.measure import measure
from bench.agreement.votes import Votes, tabulate

BAR = bar(Settings(), Declaration())


def verdict(votes: Votes, needed: Bar = BAR) -> tuple[str, str]:
    outcome, reason, _ = judge(measure(votes), needed)
    return outcome, reason


def test_the_bar_is_that_of_the_declaration() -> None:
    assert bar(Settings(), Declaration()) == Bar(annotators=3, kappa=0.6, prevalence=0.9, majority=0.5)
    assert bar(Settings(), Declaration(critical=True, benchmark=True))[:2] == (5, 0.8)


@pytest.mark.parametrize(
    ("votes", "outcome", "says"),
    [
        (of_counts([[3, 0]] * 4 + [[0, 3]] * 4 + [[2, 1]] * 2), "accept", "0.732 reaches 0.6"),
        (of_counts(FLEISS), "reject", "0.210 is below 0.6"),
        (of_counts([[3, 0]] * 47 + [[2, 1]] * 3), "undetermined", "98.0% of the votes are in one category"),
        (of_counts([[3, 0]] * 47 + [[0, 3]] + [[2, 1]] * 2), "undetermined", "0.586 is below 0.6, but"),
        (of_counts([[3, 0]] * 99 + [[0, 3]]), "accept", "1.000 reaches"),
        (of_counts([[3, 0]] * 5), "undetermined", "fleiss_kappa is undefined: all votes are in one category"),
        (of_counts([]), "undetermined", "there are no items"),
        (single({"p": "a", "q": "b"}), "reject", "no item has 3 votes, the most is 1"),
        (single({"p": "aa", "q": "bb"}), "reject", "no item has 3 votes, the most is 2"),
        (single({"p": "aaa", "q": "bbb", "r": "cc."}), "accept", "krippendorff_alpha 1.000"),
        (sets({"p": ["ab"] * 3, "q": ["c"] * 3}), "accept", "fleiss_kappa 1.000"),
        (sets({"p": ["ab", "a", "b"], "q": ["c", "ac", "bc"]}), "reject", "is below"),
    ],
)
def test_outcomes(votes: Votes, outcome: str, says: str) -> None:
    found = verdict(votes)
    assert found[0] == outcome
    assert says in found[1]


def test_a_benchmark_and_a_critical_set_need_more() -> None:
    votes = of_counts([[3, 0]] * 4 + [[0, 3]] * 4 + [[2, 1]] * 2)
    assert verdict(votes, bar(Settings(), Declaration(benchmark=True)))[0] == "reject"
    assert verdict(votes, bar(Settings(), Declaration(critical=True))) == (
        "reject",
        "no item has 5 votes, the most is 3: collect more",
    )


def test_ordinal_categories_and_unequal_raters_are_judged_by_alpha() -> None:
    assert deciding(measure(of_counts(FLEISS))) == "fleiss_kappa"
    assert deciding(measure(of_counts(FLEISS, ordinal=True))) == "krippendorff_alpha"
    assert deciding(measure(single({"p": "aaa", "q": "ab."}))) == "krippendorff_alpha"
    # An item with one vote cannot agree, and asks for no other coefficient.
    assert deciding(measure(single({"p": "aaa", "q": "aab", "r": "a.."}))) == "fleiss_kappa"


def test_warnings() -> None:
    def of(votes: Votes) -> list[str]:
        report = measure(votes)
        return warnings(report, BAR, deciding(report))

    assert any("98.0% of the votes" in line for line in of(of_counts([[3, 0]] * 47 + [[2, 1]] * 3)))
    assert any("no interval" in line for line in of(of_counts([[3, 0]] * 9 + [[2, 1]])))
    assert any("lies within the interval" in line for line in of(of_counts([[3, 0]] * 4 + [[0, 3]] * 4 + [[2, 1]] * 2)))
    assert of(of_counts([[3, 0]] * 100 + [[0, 3]] * 100)) == []


def lines(votes: Votes, needed: Bar = BAR) -> tuple[dict[str, Any], dict[str, str]]:
    decided = decide(votes, needed)
    gold = {line["item"]: line.get("label", line.get("labels")) for line in decided.gold}
    return gold, {line["item"]: line["reason"] for line in decided.adjudicate}


def test_gold_is_what_more_than_half_say() -> None:
    votes = single({"p": "aab", "q": "abc", "r": "aabb", "s": "aabc", "t": "aa.", "u": "ccc"})
    gold, adjudicate = lines(votes)
    assert gold == {"p": "a", "u": "c"}
    assert adjudicate == {"q": "tie", "r": "tie", "s": "no_majority", "t": "too_few_votes"}


def test_a_line_of_gold_and_of_the_list() -> None:
    decided = decide(single({"p": "aab", "q": "abc"}), BAR)
    assert decided.gold == [{"item": "p", "label": "a", "n_raters": 3, "n_agreeing": 2, "agreement": 0.333333333}]
    assert decided.adjudicate == [{"item": "q", "reason": "tie", "n_raters": 3, "votes": {"a": 1, "b": 1, "c": 1}}]


def test_a_higher_majority_can_be_asked_for() -> None:
    votes = single({"p": "aab", "q": "aaa"})
    assert lines(votes, BAR._replace(majority=0.7)) == ({"q": "a"}, {"p": "no_majority"})


def test_gold_of_sets_is_decided_category_by_category() -> None:
    votes = sets({"p": ["ab", "a", "bc"], "q": ["a", "a", "", ""], "r": ["", "", "a"], "s": ["ab", "ab", "ab"]})
    gold, adjudicate = lines(votes)
    assert gold == {"p": ["a", "b"], "r": [], "s": ["a", "b"]}
    assert adjudicate == {"q": "tie"}
    assert lines(votes, BAR._replace(majority=0.7))[0] == {"s": ["a", "b"]}
    first = decide(votes, BAR).gold[0]
    assert first["n_agreeing"] == 1
    assert decide(votes, BAR).adjudicate[0]["votes"] == {"[]": 2, "[a]": 2}


def test_an_item_that_everybody_skipped_is_not_lost() -> None:
    votes = single({"p": "aaa"})._replace(skipped=["q", "q", "p"])
    assert lines(votes) == ({"p": "a"}, {"q": "too_few_votes"})
    assert item_lines(tabulate(votes)) == [{"item": "p", "n_raters": 3, "agreement": 1.0}, {"item": "q", "n_raters": 0}]


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.text("abc.", min_size=0, max_size=6), max_size=8), order=st.randoms(use_true_random=False))
def test_every_item_is_gold_or_adjudicated_whatever_the_order(rows: list[str], order: Any) -> None:
    votes = single({f"i{place}": row for place, row in enumerate(rows)})
    decided = decide(votes, BAR)
    voted = {f"i{place}": row.replace(".", "") for place, row in enumerate(rows) if row.replace(".", "")}
    assert sorted(line["item"] for line in (*decided.gold, *decided.adjudicate)) == sorted(voted)
    for line in decided.gold:
        assert 2 * voted[line["item"]].count(line["label"]) > len(voted[line["item"]]) >= 3
    shuffled = list(votes.votes)
    order.shuffle(shuffled)
    assert decide(votes._replace(votes=shuffled), BAR) == decided
