"""Ranking one query at a time: what TREC text and JSON Lines share.

Hits are ordered by float32(score), then by document id, both descending, as trec_eval does: the order of the file and
the rank column never matter. Document ids compare by code points, which is the order of their UTF-8 bytes.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from math import isfinite

import numpy as np

from bench.errors import BenchError
from bench.rankings.checks import check_ids, first_repeated
from bench.rankings.groups import Group, Placing, RunSource
from bench.rankings.measures import Batch
from bench.rankings.qrels import Apart, Grades, Qrels

SCORES_ALLOWED = "scores are finite and within float32, in which trec_eval compares them"
_QUERIES_A_BATCH = 5_000


def batches(run: RunSource, qrels: Qrels) -> Iterator[Batch]:
    """The judged queries of a run. BenchError on the first hit or query that is none."""
    collected = _Collected()
    for group in run.groups():
        check_ids(run, group)
        hits = Hits(run, group)
        try:
            relevant = qrels.take(group.query_id)
        except Apart:
            raise BenchError(
                f"{run.place(group, 0)}: query {group.query_id!r} has hits further up already; {run.together}"
            ) from None
        if relevant is not None:
            collected.add(group.query_id, hits, relevant)
            if len(collected.query_ids) == _QUERIES_A_BATCH:
                yield collected.batch()
                collected = _Collected()
    if collected.query_ids:
        yield collected.batch()


class Hits:
    """The hits of one query, checked. A rank is worked out only for the documents that one asks for."""

    def __init__(self, run: Placing, group: Group) -> None:
        self._ids = group.doc_ids
        self._scores = array("f", group.values)
        self.documents = set(self._ids)
        if len(self.documents) != len(self._ids):
            first, second = first_repeated(self._ids)
            raise BenchError(
                f"{run.place(group, second)}: document {self._ids[second]!r} is returned already for query "
                f"{group.query_id!r}, at {run.place(group, first)}; a document may stand in a ranking once"
            )
        if not isfinite(sum(self._scores)):
            bad = next(index for index, score in enumerate(self._scores) if not isfinite(score))
            raise BenchError(f"{run.place(group, bad)}: score {group.values[bad]}; {SCORES_ALLOWED}")

    def rank(self, doc_id: str) -> int:
        """From 1."""
        score = self._scores[self._ids.index(doc_id)]
        begin, end = bisect_left(self._ascending, score), bisect_right(self._ascending, score)
        before = len(self._ascending) - end
        if end - begin == 1:
            return before + 1
        tied = self._tied[score]
        return before + len(tied) - bisect_left(tied, doc_id)

    @cached_property
    def _ascending(self) -> list[float]:
        return sorted(self._scores)

    @cached_property
    def _tied(self) -> dict[float, list[str]]:
        """The documents of each score, ascending."""
        tied = defaultdict(list)
        for doc_id, score in sorted(zip(self._ids, self._scores, strict=True)):
            tied[score].append(doc_id)
        return tied


class _Collected:
    """Queries until there are enough of them for a batch."""

    def __init__(self) -> None:
        self.query_ids: list[str] = []
        self._hits = 0
        self._query, self._grade, self._rank = array("q"), array("d"), array("q")

    def add(self, query_id: str, hits: Hits, relevant: Grades) -> None:
        for doc_id, grade in relevant.items():
            self._query.append(len(self.query_ids))
            self._grade.append(grade)
            self._rank.append(hits.rank(doc_id) if doc_id in hits.documents else 0)
        self.query_ids.append(query_id)
        self._hits += len(hits.documents)

    def batch(self) -> Batch:
        query, rank = (np.frombuffer(column, np.int64) for column in (self._query, self._rank))
        return Batch(self.query_ids, query, np.frombuffer(self._grade), rank, self._hits)
