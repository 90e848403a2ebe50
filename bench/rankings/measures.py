"""The measures of `bench.measures`, computed for a batch of queries at once from the ranks of what they found.

Same definitions (nDCG with linear gain and log2(rank + 1), its ideal over all relevant documents; P over k; MAP and
recall over all relevant documents), same names. A query without a relevant document gets 0, as in trec_eval.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.measures.base import CUTOFFS

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

KEYS = (*(f"{name}@{k}" for name in ("recall", "nDCG", "P", "MAP", "MRR") for k in CUTOFFS), "MRR")


class Batch(NamedTuple):
    """Some judged queries of a run.

    query_ids          n of them
    query, grade, rank their relevant documents, found or not, in any order: index of the query, grade, and rank from 1
                       where the run returned the document, else 0
    hits               how many documents these queries returned, relevant or not
    """

    query_ids: Sequence[str]
    query: Integers
    grade: Floats
    rank: Integers
    hits: int


def measure(batch: Batch) -> Floats:
    """One row for each of KEYS, one column a query."""
    n = len(batch.query_ids)
    relevant = np.bincount(batch.query, minlength=n)
    best_first = np.lexsort((-batch.grade, batch.query))
    ideal_query = batch.query[best_first]
    ideal_rank = _ordinal(ideal_query)
    ideal_gain = batch.grade[best_first] / np.log2(ideal_rank + 1)
    found = np.lexsort((batch.rank, batch.query))
    found = found[batch.rank[found] > 0]
    query, rank = batch.query[found], batch.rank[found]
    gain = batch.grade[found] / np.log2(rank + 1)
    number = _ordinal(query)

    def total(values: NDArray[Any]) -> Floats:
        totals: Floats = np.bincount(query, values, minlength=n).astype(np.float64, copy=False)
        return totals

    rows: dict[str, Floats] = {}
    for k in CUTOFFS:
        within = rank <= k
        hits = total(within)
        ideal = np.bincount(ideal_query, ideal_gain * (ideal_rank <= k), minlength=n)
        rows[f"recall@{k}"] = _over(hits, relevant)
        rows[f"nDCG@{k}"] = _over(total(gain * within), ideal)
        rows[f"P@{k}"] = hits / k
        rows[f"MAP@{k}"] = _over(total(number / rank * within), relevant)
        rows[f"MRR@{k}"] = total((number == 1) / rank * within)
    rows["MRR"] = total((number == 1) / rank)
    return np.stack([rows[key] for key in KEYS])


def _over(part: Floats, whole: NDArray[Any]) -> Floats:
    share: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return share


def _ordinal(groups: Integers) -> Integers:
    """1, 2, 3 ... within each run of equal numbers."""
    index = np.arange(len(groups))
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    return index - np.repeat(starts, np.diff(starts, append=len(groups))) + 1
