"""JSON Lines, one query a line.

run    `{"query_id": "q1", "hits": [{"doc_id": "d1", "score": 2.5}]}`, or the same in columns, which is half the size
       and quicker to read: `{"query_id": "q1", "doc_ids": ["d1"], "scores": [2.5]}`; no hits: the system abstains
qrels  `{"query_id": "q1", "doc_ids": ["d1"], "relevance": [2]}`

Other fields are read past.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from bench.errors import BenchError
from bench.rankings.groups import Group

T = TypeVar("T")
_BUFFER = 1 << 18  # bytes; a line of 100 hits has about 4,000


class _Hit(msgspec.Struct, gc=False):
    doc_id: str
    score: float


class _RunLine(msgspec.Struct, gc=False):
    query_id: str
    hits: list[_Hit] | UnsetType = UNSET
    doc_ids: list[str] | UnsetType = UNSET
    scores: list[float] | UnsetType = UNSET


class _QrelsLine(msgspec.Struct, gc=False):
    query_id: str
    doc_ids: list[str]
    relevance: list[int | float]


class JsonlRun:
    """A run of one query a line."""

    together = "put all hits of a query on one line"

    def __init__(self, path: Path) -> None:
        self.path = path

    def place(self, group: Group, index: int) -> str:
        """file:line and the hit's number in it, from 1."""
        return f"{self.path}:{group.line}, hit {index + 1}"

    def groups(self) -> Iterator[Group]:
        """The lines. BenchError at file:line on one that is no query with its hits."""
        for number, line in _read(self.path, _RunLine):
            if line.hits is not UNSET and line.doc_ids is UNSET and line.scores is UNSET:
                doc_ids, scores = [hit.doc_id for hit in line.hits], [hit.score for hit in line.hits]
            elif line.hits is UNSET and line.doc_ids is not UNSET and line.scores is not UNSET:
                doc_ids, scores = line.doc_ids, line.scores
                _check_lengths(self.path, number, doc_ids, "scores", scores)
            else:
                raise BenchError(f"{self.path}:{number}: a line has either hits, or doc_ids and scores")
            yield Group(line.query_id, number, doc_ids, scores)


class JsonlQrels:
    """Judgements of one query a line; a query may have several lines."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def place(self, group: Group, index: int) -> str:
        """file:line and the judgement's number in it, from 1."""
        return f"{self.path}:{group.line}, judgement {index + 1}"

    def groups(self) -> Iterator[Group]:
        """The lines. BenchError at file:line on one that judges nothing."""
        for number, line in _read(self.path, _QrelsLine):
            _check_lengths(self.path, number, line.doc_ids, "relevance", line.relevance)
            if not line.doc_ids:
                raise BenchError(
                    f"{self.path}:{number}: query {line.query_id!r} has no judgement; leave the line out, or judge a "
                    "document as 0 where the query is to count as 0"
                )
            yield Group(line.query_id, number, line.doc_ids, line.relevance)


def _read(path: Path, kind: type[T]) -> Iterator[tuple[int, T]]:
    decoder = msgspec.json.Decoder(kind)
    with path.open("rb", buffering=_BUFFER) as file:
        for number, line in enumerate(file, 1):
            try:
                yield number, decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BenchError(f"{path}:{number}: {error}; see docs/evaluate.md for what a line holds") from None


def _check_lengths(path: Path, line: int, doc_ids: Sequence[str], name: str, values: Sequence[float]) -> None:
    if len(doc_ids) != len(values):
        raise BenchError(f"{path}:{line}: {len(doc_ids)} doc_ids, but {len(values)} {name}; each document has one")
