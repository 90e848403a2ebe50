"""The measures of one split, by `bench.rankings.measures`, with 95 % intervals.

Denominator: the judged queries that were asked. A query without a hit counts as 0, and `n` says how many have one.
Fractional scores are gains as they are; 0 and less mean not relevant.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.custom.bm25 import Hits
from bench.measures import record
from bench.rankings.measures import KEYS, Batch, measure

RESAMPLES = 1_999
CONFIDENCE = 0.95
SEED = 1
# Floats held at once by a batch of resamples: 32 MB.
_BATCH = 4_000_000

Judged = Mapping[str, Mapping[str, float]]


class Scored(NamedTuple):
    """measures   {key: {value, numerator, denominator, n, of, interval}}; no interval under two queries

    per_query  a row a query, by id: query_id, hits, scores
    """

    measures: dict[str, dict[str, Any]]
    per_query: list[dict[str, Any]]


def score(judged: Judged, run: Mapping[str, Hits]) -> Scored:
    """Hold the hits of each judged query against its documents. `judged` is not empty."""
    query_ids = sorted(judged)
    values = measure(_batch(query_ids, judged, run))
    answered = sum(bool(run[query_id]) for query_id in query_ids)
    intervals = _intervals(values)
    measures = {}
    for number, key in enumerate(KEYS):
        measures[key] = record(values[number].tolist(), answered) or {}
        if intervals:
            measures[key]["interval"] = intervals[number]
    per_query = [
        {"query_id": query_id, "hits": len(run[query_id]), "scores": dict(zip(KEYS, column, strict=True))}
        for query_id, column in zip(query_ids, values.T.tolist(), strict=True)
    ]
    return Scored(measures, per_query)


def _batch(query_ids: Sequence[str], judged: Judged, run: Mapping[str, Hits]) -> Batch:
    rows = []
    for number, query_id in enumerate(query_ids):
        ranks = {doc_id: rank for rank, (doc_id, _) in enumerate(run[query_id], 1)}
        # Sorted, so that sums of floats do not depend on the order of the judgements.
        relevant = sorted((doc_id, grade) for doc_id, grade in judged[query_id].items() if grade > 0)
        rows += [(number, grade, ranks.get(doc_id, 0)) for doc_id, grade in relevant]
    query, grade, rank = zip(*rows, strict=True) if rows else ((), (), ())
    hits = sum(len(run[query_id]) for query_id in query_ids)
    return Batch(query_ids, np.array(query, np.int64), np.array(grade, np.float64), np.array(rank, np.int64), hits)


def _intervals(values: NDArray[np.float64]) -> list[list[float]]:
    """[low, high] of each row's mean: percentile bootstrap over queries, one draw for all measures."""
    from scipy.stats import bootstrap

    if values.shape[1] < 2:
        return []
    result = bootstrap(
        (values,),
        np.mean,
        axis=-1,
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=max(1, _BATCH // values.size),
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(SEED),
    )
    interval = result.confidence_interval
    return [[low, high] for low, high in zip(interval.low.tolist(), interval.high.tolist(), strict=True)]
