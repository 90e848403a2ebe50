"""Each measure on hand-computed values; the field's numbers to pin are E1 to E7 of its notes on edge cases."""

import math

import pytest

from bench.measures import MEASURES, record
from bench.measures.base import Judged
from bench.systems.latency import percentile

BY_KEY = {measure.key: measure for measure in MEASURES}


def judged(gains, grades, found=None, strong=(), late=(), foreign=()):
    found = [int(gain > 0) for gain in gains] if found is None else found
    return Judged(gains, found, grades, strong, late, foreign, 0)


def value(key, *args, **kwargs):
    return BY_KEY[key].value(judged(*args, **kwargs))


def test_a_hit_at_rank_two_of_two_gold():
    ranking = ([0, 1, 0], [1, 1])
    assert value("recall@1", *ranking) == 0
    assert value("recall@3", *ranking) == 0.5
    assert value("MRR", *ranking) == 0.5
    assert value("MRR@1", *ranking) == 0
    assert value("P@3", *ranking) == pytest.approx(1 / 3)
    assert value("P@10", *ranking) == 0.1, "P@k divides by k, not by the hits returned"
    assert value("MAP@10", *ranking) == 0.25
    assert value("nDCG@10", *ranking) == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))


def test_graded_gain_is_linear():
    assert value("nDCG@10", [1, 3], [3, 1]) == pytest.approx(0.7967075809905066)


def test_rank_two_is_discounted():
    assert value("nDCG@10", [0, 1], [1]) == pytest.approx(0.6309, abs=1e-4)


def test_the_ideal_counts_gold_that_was_not_returned():
    assert value("nDCG@10", [1], [1, 1]) == pytest.approx(0.6131, abs=1e-4)


def test_more_gold_than_ranks():
    ranking = ([1] * 10, [1] * 20)
    assert value("recall@10", *ranking) == 0.5
    assert value("MAP@10", *ranking) == 0.5
    assert value("nDCG@10", *ranking) == 1


def test_one_hit_on_two_gold_regions_counts_both_and_gains_once():
    ranking = ([1, 0], [1, 1])
    assert value("recall@1", *ranking, found=[2, 0]) == 1
    assert value("MAP@10", *ranking, found=[2, 0]) == 0.5
    assert value("nDCG@10", *ranking, found=[2, 0]) < 1


def test_false_recall_looks_at_the_first_ten():
    assert value("false_recall", [0] * 11, [], strong=[False] * 10 + [True]) == 0
    assert value("false_recall", [0] * 11, [], strong=[False] * 9 + [True, False]) == 1
    assert value("false_recall", [], []) == 0, "an abstention is no false recall"


@pytest.mark.parametrize(("key", "flags"), [("temporal_correctness", "late"), ("holder_correctness", "foreign")])
def test_leaks_count_in_the_first_ten(key, flags):
    assert value(key, [], []) == 1
    assert value(key, [0] * 11, [], **{flags: [False] * 10 + [True]}) == 1
    assert value(key, [0] * 11, [], **{flags: [True] + [False] * 10}) == 0


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.key)
def test_the_worst_value_of_each_measure(measure):
    assert measure.worst == (1.0 if measure.key.startswith("false_recall") else 0.0)


def test_percentile_is_nearest_rank():
    assert percentile(range(1, 21), 95) == 19
    assert percentile(range(1, 21), 50) == 10
    assert percentile(range(1, 20), 95) is None, "a p95 of 19 values says nothing"


def test_a_record_says_value_numerator_denominator_and_n():
    made = record([1.0, 0.5, 0.0], answered=2)
    assert made == {"value": 0.5, "numerator": 1.5, "denominator": 3, "n": 2, "of": "1.5/3, n=2"}


def test_nothing_measured_is_no_record():
    assert record([], answered=0) is None


def test_of_changes_with_the_smallest_change_of_value():
    a, b = record([0.333333333], 1), record([0.333333334], 1)
    assert a["value"] != b["value"]
    assert a["of"] != b["of"]
