"""MAP@k: mean over queries of average precision, cut at k; the denominator is all gold regions (trec_eval map_cut)."""

from math import fsum

from bench.measures.base import Judged, at_cutoffs


def average_precision(judged: Judged, k: int) -> float:
    """Precision at each of the first k hits that find something new, summed, over all gold regions: 0 to 1."""
    ranks = [rank for rank, gain in enumerate(judged.gains[:k], 1) if gain > 0]
    return fsum(number / rank for number, rank in enumerate(ranks, 1)) / len(judged.grades)


MEASURES = at_cutoffs("MAP", average_precision)
