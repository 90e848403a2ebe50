"""What readers of runs and of qrels give: the lines of one query at a time."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, pairwise
from operator import ne
from pathlib import Path
from typing import Any, NamedTuple, Protocol


class Group(NamedTuple):
    """Lines of one query that stand together: documents, and their scores or their grades as they are written.

    `line` is where they begin, from 1; rows of a table count as lines.
    """

    query_id: str
    line: int
    doc_ids: Sequence[str]
    values: Sequence[Any]


class Placing(Protocol):
    """A file whose lines can be named."""

    def place(self, group: Group, index: int) -> str:
        """Where in the file the document `index` of a group stands, in words."""


class Source(Placing, Protocol):
    """A file of groups."""

    path: Path

    def groups(self) -> Iterable[Group]:
        """The file from its beginning, streamed. BenchError where a line cannot be read."""


class RunSource(Source, Protocol):
    """A run. `together` says what to do where it has the hits of a query in two places."""

    together: str


class Columns(NamedTuple):
    """Consecutive lines of several queries. `line` is the number of the first."""

    line: int
    query_ids: Sequence[str]
    doc_ids: Sequence[str]
    values: Sequence[Any]


def grouped(chunks: Iterable[Columns]) -> Iterator[Group]:
    """Cut lines where the query changes; a query that goes on in the next chunk is one group."""
    query_id, line = "", 0
    doc_ids: list[str] = []
    values: list[Any] = []
    for chunk in chunks:
        changes = compress(range(1, len(chunk.query_ids)), map(ne, chunk.query_ids, chunk.query_ids[1:]))
        for start, end in pairwise((0, *changes, len(chunk.query_ids))):
            if chunk.query_ids[start] != query_id:
                if doc_ids:
                    yield Group(query_id, line, doc_ids, values)
                query_id, line = chunk.query_ids[start], chunk.line + start
                doc_ids, values = [], []
            doc_ids += chunk.doc_ids[start:end]
            values += chunk.values[start:end]
    if doc_ids:
        yield Group(query_id, line, doc_ids, values)
