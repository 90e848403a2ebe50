"""Latency percentiles by nearest rank: the smallest value that at least p percent of the values do not exceed."""

from collections.abc import Sequence
from math import ceil

MIN_VALUES = 20


def percentile(values: Sequence[float], p: float) -> float | None:
    """The p-th percentile (0 < p <= 100) of `values`; None under 20 values, where a p95 says nothing."""
    if len(values) < MIN_VALUES:
        return None
    return sorted(values)[ceil(p / 100 * len(values)) - 1]
