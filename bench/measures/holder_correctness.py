"""holder_correctness: the share of queries with no source of another holder in the first 10 hits.

`_twins` is the same over other_holder twins, where such leaks are provoked.
"""

from bench.measures.base import FIRST, Judged, Measure


def holder_correctness(judged: Judged) -> float:
    """1 where the first ten are all the asker's own, else 0. An abstention is correct."""
    return float(not any(judged.foreign[:FIRST]))


MEASURES = [
    Measure("holder_correctness", lambda query: True, holder_correctness),
    Measure("holder_correctness_twins", lambda query: query.unanswerable_class == "other_holder", holder_correctness),
]
