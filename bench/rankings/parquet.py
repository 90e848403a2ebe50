"""A run in parquet: a row a hit (`query_id`, `doc_id`, `score`).

Ids are strings, plain or as a dictionary; other columns are not read. A run is read in blocks of rows, each of whole
queries, and hardly any of it turned into Python objects: rows are told apart by (query, document) as one integer, and
only the ranks of relevant documents are worked out. The result is that of `bench.rankings.rank`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from bench.errors import BenchError
from bench.rankings.checks import IDS_ALLOWED
from bench.rankings.fingerprints import Numbers, exact_numbers, fingerprints
from bench.rankings.groups import Group
from bench.rankings.measures import Batch, Integers
from bench.rankings.qrels import Apart, Qrels
from bench.rankings.rank import SCORES_ALLOWED, Hits
from bench.rankings.tables import RUN, first_bad_id, numbers_of, read_tables

_TOGETHER = "sort the table by query_id before it is written: a run is read one block of queries at a time"


class _Block(NamedTuple):
    """The rows of some whole queries, in the order of the file. `row` is the number of the first, from 1.

    starts   where each query begins, and at the end how many rows there are
    """

    row: int
    query_ids: Sequence[str]
    starts: Integers
    doc_ids: Any
    scores: NDArray[np.float32]

    def group(self, query: int) -> Group:
        """The rows of one query."""
        start, end = self.starts[query : query + 2].tolist()
        doc_ids = self.doc_ids.slice(start, end - start).to_pylist()
        return Group(self.query_ids[query], self.row + start, doc_ids, self.scores[start:end].tolist())


class _Gold(NamedTuple):
    """The judged queries of a block, by index, and for each how many relevant documents it has; these in that order."""

    judged: list[int]
    counts: list[int]
    doc_ids: list[str]
    grades: list[int]


class ParquetRun:
    """A run, whose rows must be grouped by query."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def place(self, group: Group, index: int) -> str:
        """The file and the row, a row a hit."""
        return f"{self.path}, row {group.line + index}"

    def batches(self, qrels: Qrels) -> Iterator[Batch]:
        """The judged queries. BenchError, naming the row, on the first hit or query that is none."""
        for row, table in _whole_queries(read_tables(self.path, RUN)):
            block = self._block(row, table)
            gold = self._gold(block, qrels)
            batch = self._batch(block, gold)
            if batch.query_ids:
                yield batch

    def _block(self, row: int, table: Any) -> _Block:
        query_ids, doc_ids, written = (table[name].combine_chunks() for name in RUN)
        starts = np.append(_starts(query_ids), len(query_ids))
        names = query_ids.take(pa.array(starts[:-1])).cast(pa.string())
        if (bad := first_bad_id(names)) is not None:
            raise self._error(row + starts[bad], f"query id {names[bad].as_py()!r}; {IDS_ALLOWED}")
        if (bad := first_bad_id(doc_ids)) is not None:
            raise self._error(row + bad, f"document id {doc_ids[bad].as_py()!r}; {IDS_ALLOWED}")
        with np.errstate(over="ignore"):
            scores = numbers_of(written).astype(np.float32)
        if not (finite := np.isfinite(scores)).all():
            bad = int(finite.argmin())
            raise self._error(row + bad, f"score {written[bad].as_py()}; {SCORES_ALLOWED}")
        return _Block(row, names.to_pylist(), starts, doc_ids, scores)

    def _gold(self, block: _Block, qrels: Qrels) -> _Gold:
        gold = _Gold([], [], [], [])
        for number, query_id in enumerate(block.query_ids):
            try:
                relevant = qrels.take(query_id)
            except Apart:
                raise self._error(
                    block.row + block.starts[number], f"query {query_id!r} has hits further up already; {_TOGETHER}"
                ) from None
            if relevant is not None:
                gold.judged.append(number)
                gold.counts.append(len(relevant))
                gold.doc_ids.extend(relevant)
                gold.grades.extend(relevant.values())
        return gold

    def _batch(self, block: _Block, gold: _Gold) -> Batch:
        """Find the relevant documents among the rows, both known by a key that is made of query and document."""
        query = np.repeat(np.array(gold.judged, np.int64), gold.counts)
        gold_ids = pa.array(gold.doc_ids, pa.string())
        keys, relevant, order = self._keys(block, query, gold_ids)
        at = np.minimum(np.searchsorted(keys, relevant), len(keys) - 1)
        found = np.flatnonzero(keys[at] == relevant)
        rows = order[at[found]]
        same = _equal(block.doc_ids.take(pa.array(rows)), gold_ids.take(pa.array(found)))
        found, rows = found[same], rows[same]
        rank = np.zeros(len(relevant), np.int64)
        rank[found] = self._ranks(block, rows, query[found])
        number_of = np.empty(len(block.query_ids), np.int64)
        number_of[gold.judged] = np.arange(len(gold.judged))
        hits = int(np.diff(block.starts)[gold.judged].sum())
        judged = [block.query_ids[index] for index in gold.judged]
        return Batch(judged, number_of[query], np.array(gold.grades, np.float64), rank, hits)

    def _keys(self, block: _Block, query: Integers, gold_ids: Any) -> tuple[Numbers, Numbers, Integers]:
        """The keys of the rows, ascending and each there once; those of the relevant documents; the row of each key."""
        queries = np.repeat(np.arange(len(block.query_ids)), np.diff(block.starts))
        offset = np.concatenate((queries, query)).astype(np.uint64) << np.uint64(32)
        together = pa.concat_arrays([block.doc_ids, gold_ids])
        for number in (fingerprints, exact_numbers):
            keys, relevant = np.split(number(together) + offset, [len(queries)])
            order = keys.argsort()
            keys = keys[order]
            equal = np.flatnonzero(keys[1:] == keys[:-1])
            if not len(equal):
                break
            self._check_repeated(block, queries, order[equal], order[equal + 1])
        return keys, relevant, order

    def _check_repeated(self, block: _Block, queries: Integers, one: Integers, other: Integers) -> None:
        """BenchError where a row of `one` and its counterpart in `other` are the same document for the same query."""
        same = _equal(block.doc_ids.take(pa.array(one)), block.doc_ids.take(pa.array(other)))
        same &= queries[one] == queries[other]
        if same.any():
            first, second = sorted((int(one[same.argmax()]), int(other[same.argmax()])))
            raise self._error(
                block.row + second,
                f"document {block.doc_ids[second].as_py()!r} is returned already for query "
                f"{block.query_ids[queries[first]]!r}, in row {block.row + first}; a document may stand in a ranking "
                "once",
            )

    def _ranks(self, block: _Block, rows: Integers, query: Integers) -> Integers:
        """The rank, from 1, of each of `rows`, which belong to the queries `query`.

        It is the place in the file where a query's scores fall and the row's score is its own; other queries are ranked
        one at a time.
        """
        scores = block.scores
        rises = np.diff(scores) > 0
        rises[block.starts[1:-1] - 1] = False
        one_by_one = np.zeros(len(block.query_ids), bool)
        one_by_one[np.searchsorted(block.starts, np.flatnonzero(rises), side="right") - 1] = True
        begin, end = block.starts[query], block.starts[query + 1]
        above, below = np.maximum(rows - 1, begin), np.minimum(rows + 1, end - 1)
        tied = ((above < rows) & (scores[above] == scores[rows])) | ((below > rows) & (scores[below] == scores[rows]))
        one_by_one[query[tied]] = True
        ranks = rows - begin + 1
        ranked: dict[int, Hits] = {}
        for index in np.flatnonzero(one_by_one[query]).tolist():
            number = int(query[index])
            if number not in ranked:
                ranked[number] = Hits(self, block.group(number))
            ranks[index] = ranked[number].rank(block.doc_ids[rows[index]].as_py())
        return ranks

    def _error(self, row: int, what: str) -> BenchError:
        return BenchError(f"{self.path}, row {row}: {what}")


def _whole_queries(tables: Iterator[Any]) -> Iterator[tuple[int, Any]]:
    """The same rows, cut where queries begin, each with the number of its first row."""
    row, rest = 1, None
    for table in tables:
        rows = table if rest is None else pa.concat_tables([rest, table])
        cut = int(_starts(rows["query_id"].combine_chunks())[-1]) if len(rows) else 0
        if cut:
            yield row, rows.slice(0, cut)
        row, rest = row + cut, rows.slice(cut)
    if rest is not None and len(rest):
        yield row, rest


def _starts(query_ids: Any) -> Integers:
    return np.append(0, np.flatnonzero(np.diff(numbers_of(query_ids.indices))) + 1)


def _equal(one: Any, other: Any) -> NDArray[np.bool_]:
    return numbers_of(pc.equal(one, other).cast(pa.uint8())).astype(bool)
