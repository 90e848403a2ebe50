"""temporal_correctness: the share of queries with no source observed after their as_of in the first 10 hits.

as_of is inclusive. `_twins` is the same over before_observation twins, where such leaks are provoked.
"""

from bench.measures.base import FIRST, Judged, Measure


def temporal_correctness(judged: Judged) -> float:
    """1 where nothing in the first ten comes from the query's future, else 0. An abstention is correct."""
    return float(not any(judged.late[:FIRST]))


MEASURES = [
    Measure("temporal_correctness", lambda query: True, temporal_correctness),
    Measure(
        "temporal_correctness_twins",
        lambda query: query.unanswerable_class == "before_observation",
        temporal_correctness,
    ),
]
