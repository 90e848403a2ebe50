"""Assigned owners and times."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bench.normalize.assign import end_of_year, holders, observed_at

EPOCH = "2025-01-01T00:00:00Z"


@given(st.integers(20, 500))
def test_every_holder_has_at_least_the_stated_number(total):
    assigned = holders("d", [f"s{number}" for number in range(total)], 20)
    sizes = Counter(assigned.values())
    assert len(sizes) == total // 20
    assert min(sizes.values()) >= 20


def test_fewer_sources_than_one_holder_needs_share_one():
    assert set(holders("d", ["a", "b"], 20).values()) == {"d:0000"}
    assert holders("d", [], 20) == {}


@given(st.permutations([f"s{number}" for number in range(60)]))
def test_the_order_of_sources_does_not_matter(order):
    assert holders("d", order, 20) == holders("d", sorted(order), 20)


def test_times_lie_within_the_year_and_differ():
    moments = [observed_at("d", f"s{number}", EPOCH) for number in range(200)]
    assert all(EPOCH <= moment <= end_of_year(EPOCH) for moment in moments)
    assert len(set(moments)) > 100
    assert end_of_year(EPOCH) == "2025-12-31T23:59:59Z"
