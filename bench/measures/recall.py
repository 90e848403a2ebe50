"""recall@k: gold regions found in the first k hits over all gold regions of the query."""

from bench.measures.base import Judged, at_cutoffs


def recall(judged: Judged, k: int) -> float:
    """From 0 to 1. Two gold regions on one page are both found by a hit on it."""
    return sum(judged.found[:k]) / len(judged.grades)


MEASURES = at_cutoffs("recall", recall)
