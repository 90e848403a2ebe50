"""P@k: hits among the first k that find something new, over k (not over the hits returned), as trec_eval has it."""

from bench.measures.base import Judged, at_cutoffs


def precision(judged: Judged, k: int) -> float:
    """From 0 to 1; below 1 where the query has fewer than k gold regions."""
    return sum(gain > 0 for gain in judged.gains[:k]) / k


MEASURES = at_cutoffs("P", precision)
