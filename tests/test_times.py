"""Moments in one form, whatever zone they are written in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import times


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("2025-03-01T10:00:00+02:00", "2025-03-01T08:00:00Z"),
        ("2025-03-01t08:00:00z", "2025-03-01T08:00:00Z"),
        ("2025-03-01 08:00:00.999Z", "2025-03-01T08:00:00Z"),
    ],
)
def test_zones_are_normalised(written, canonical):
    assert times.canonical(written) == canonical


@pytest.mark.parametrize(
    "written", ["2025-03-01T08:00:00", "2025-13-99T00:00:00Z", "2025-03-01", "yesterday", "", "2025-02-30T00:00:00Z"]
)
def test_what_is_no_moment_with_a_zone_is_refused(written):
    with pytest.raises(ValueError, match=r"zone|month|day"):
        times.parse(written)


@given(st.datetimes(timezones=st.timezones()), st.datetimes(timezones=st.timezones()))
def test_text_order_is_time_order(a, b):
    a, b = a.replace(microsecond=0), b.replace(microsecond=0)
    if 1000 < a.year < 9998 and 1000 < b.year < 9998:
        first, second = times.render(a), times.render(b)
        assert (first < second) == (times.parse(first) < times.parse(second))


def test_shift():
    assert times.shift("2025-01-01T00:00:00Z", seconds=-1) == "2024-12-31T23:59:59Z"
