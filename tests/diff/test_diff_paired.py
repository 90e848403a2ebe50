"""Paired tests against values known from combinatorics."""

from math import comb

import numpy as np
import pytest

from bench.diff.paired import differences, flips, interval


def test_the_exact_sign_test_of_twelve_flips() -> None:
    """200 shared queries, 12 flips of which 2 are down: p is the two-sided binomial tail."""
    changes = np.array([1.0] * 10 + [-1.0] * 2 + [0.0] * 188)
    found = interval(changes)
    expected = 2 * sum(comb(12, lost) for lost in range(3)) / 2**12
    assert found.p == pytest.approx(expected, abs=1e-12)
    assert found.low < 0.04 < found.high
    assert found.low > 0
    assert interval(changes) == found


def test_many_flips_are_drawn_and_near_the_exact_value() -> None:
    """200 shared queries, 12 up and 2 down: drawn, since 2 ** 14 patterns are too many."""
    found = interval(np.array([1.0] * 12 + [-1.0] * 2 + [0.0] * 186))
    expected = 2 * sum(comb(14, lost) for lost in range(3)) / 2**14
    assert found.p == pytest.approx(expected, abs=0.005)


def test_nothing_to_test() -> None:
    assert interval(np.array([1.0])) is None
    assert (interval(np.zeros(5)).low, interval(np.zeros(5)).high, interval(np.zeros(5)).p) == (0, 0, 1)
    assert interval(np.array([0.0, 1.0])).p == 1.0
    equal = interval(np.full(4, 0.5))
    assert (equal.low, equal.high, equal.p) == (0.5, 0.5, 2 / 2**4)


def test_only_shared_queries_are_paired() -> None:
    ids, changes = differences({"a": 1.0, "b": 0.5, "gone": 1.0}, {"b": 1.0, "a": 1.0, "new": 0.0})
    assert (ids, list(changes)) == (["a", "b"], [0.0, 0.5])
    assert flips(ids, changes, less_is_better=True) == flips(["a", "b"], np.array([0.0, -0.5]), less_is_better=False)
