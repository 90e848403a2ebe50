"""nDCG@k with linear gain and log2(rank + 1), as trec_eval has it (Järvelin and Kekäläinen 2002).

The ideal ranks all gold regions of the query by grade, returned or not. Not LongMemEval's variant, whose second rank
is not discounted.
"""

from collections.abc import Sequence
from math import fsum, log2

from bench.measures.base import Judged, at_cutoffs


def ndcg(judged: Judged, k: int) -> float:
    """From 0 to 1. A hit that finds several regions gains the highest of their grades, once."""
    return dcg(judged.gains, k) / dcg(sorted(judged.grades, reverse=True), k)


def dcg(gains: Sequence[float], k: int) -> float:
    """Discounted gain of the first k."""
    return fsum(gain / log2(rank + 1) for rank, gain in enumerate(gains[:k], 1) if gain)


MEASURES = at_cutoffs("nDCG", ndcg)
