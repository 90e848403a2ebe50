"""Scored docids as other tools write them: TREC run files, and JSON `{qid: {docid: score}}` as BEIR and ranx save it.

Queries and hits may stand in any order. A file that is no such text at all is a BenchError; what is wrong with a
single hit is told when it is converted, so that all faults come at once.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from pathlib import Path
from typing import Any, NamedTuple

from bench.errors import BenchError
from bench.rankings.trec import TrecRun

_BLANKS = re.compile(r"[ \t\r\n]*")
_JSON = JSONDecoder()


class Scored(NamedTuple):
    """A hit as it is written: `score` is whatever stands there. No docid: the query has no hits, an abstention."""

    line: int
    query_id: str
    docid: str | None
    score: Any = None


def read_trec(path: Path) -> Iterator[Scored]:
    """The lines `qid Q0 docid rank score tag` of a file; Q0, rank and tag are read past."""
    _check(path)
    for group in TrecRun(path).groups():
        for index, (docid, score) in enumerate(zip(group.doc_ids, group.values, strict=True)):
            yield Scored(group.line + index, group.query_id, docid, score)


def read_json(path: Path) -> Iterator[Scored]:
    """The hits of `{qid: {docid: score}}`, with the lines they stand on."""
    _check(path)
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise BenchError(f"{path} is not UTF-8: {error}") from None
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    scan = _Scanner(path, text, starts)
    seen: set[str] = set()
    for query_id, at in scan.pairs("{qid: {docid: score}}"):
        if query_id in seen:
            raise BenchError(f"{path}:{scan.line(at)}: query {query_id!r} stands there already; allowed: each once")
        seen.add(query_id)
        hits = 0
        for docid, place in scan.pairs("an object {docid: score}"):
            yield Scored(scan.line(place), query_id, docid, scan.value())
            hits += 1
        if not hits:
            yield Scored(scan.line(at), query_id, None)
    scan.end()


def _check(path: Path) -> None:
    if not path.is_file():
        raise BenchError(f"{path} is no file")


class _Scanner:
    """Walks a JSON text and knows where it is, which json.load does not tell."""

    def __init__(self, path: Path, text: str, starts: list[int]) -> None:
        self._path, self._text, self._starts = path, text, starts
        self._at = 0

    def line(self, at: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self._starts, at)

    def pairs(self, what: str) -> Iterator[tuple[str, int]]:
        """(key, its offset) of the object that begins here, which messages call `what`; values are read in between."""
        self._take("{", what)
        if self._next() == "}":
            self._at += 1
            return
        while True:
            self._next()
            at = self._at
            key = self.value()
            if not isinstance(key, str):
                raise self._wrong(at, what)
            self._take(":", what)
            yield key, at
            if self._next() == "}":
                self._at += 1
                return
            self._take(",", what)

    def value(self) -> Any:
        """The JSON value that begins here."""
        self._next()
        try:
            value, self._at = _JSON.raw_decode(self._text, self._at)
        except (JSONDecodeError, RecursionError):
            raise self._wrong(self._at, "a JSON value") from None
        return value

    def end(self) -> None:
        """BenchError where anything follows."""
        if self._next():
            raise self._wrong(self._at, "nothing after the object")

    def _next(self) -> str:
        found = _BLANKS.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._text[self._at : self._at + 1]

    def _take(self, sign: str, what: str) -> None:
        if self._next() != sign:
            raise self._wrong(self._at, what)
        self._at += 1

    def _wrong(self, at: int, allowed: str) -> BenchError:
        shown = ascii(self._text[at : at + 30]) if at < len(self._text) else "the end of the file"
        return BenchError(f"{self._path}:{self.line(at)}: {shown}; allowed: {allowed}")
