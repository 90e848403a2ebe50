"""What checks are given, and what they yield."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from bench.records import Annotation, CorpusHead, Gold


class Finding(NamedTuple):
    """A broken rule: where, what was found, and what is allowed.

    `path` is relative to the suite. `line` is 1-based, 0 where a whole file is meant; `query_id` is empty where no
    query is concerned.
    """

    code: str
    path: str
    line: int
    query_id: str
    found: str
    allowed: str


@dataclass(slots=True)
class Line:
    """A line of a set or a corpus file, as line checks see it.

    `fault` says why it is no JSON. `problems` are the ways in which `value` breaks the schema, as `$.path: what`.
    `query_id` is what the line says itself, where that can be read.
    """

    path: str
    number: int
    kind: str
    modality: str
    query_id: str
    value: Any
    fault: str
    problems: list[str]

    def finding(self, code: str, found: str, allowed: str) -> Finding:
        """A finding on this line."""
        return Finding(code, self.path, self.number, self.query_id, found, allowed)


class Query(NamedTuple):
    """An annotation that no line check refused, and where it stands."""

    path: str
    line: int
    annotation: Annotation

    def finding(self, code: str, found: str, allowed: str) -> Finding:
        """A finding on this query."""
        return Finding(code, self.path, self.line, self.annotation.query_id, found, allowed)


class Entry(NamedTuple):
    """A corpus entry that no line check refused, without its text.

    `content` is a digest of its normalised text; empty where it has none.
    """

    path: str
    line: int
    head: CorpusHead
    revision: str
    content: bytes

    def finding(self, code: str, found: str, allowed: str) -> Finding:
        """A finding on this entry."""
        return Finding(code, self.path, self.line, "", found, allowed)


class Manifested(NamedTuple):
    """A line of corpus/manifest.jsonl. Texts are empty where the line does not state them."""

    line: int
    source: str
    dataset: str
    modality: str
    revision: str
    licence: str
    annotation_source: str

    def finding(self, code: str, found: str, allowed: str) -> Finding:
        """A finding on this line of the manifest."""
        return Finding(code, "corpus/manifest.jsonl", self.line, "", found, allowed)


class KindRows(msgspec.Struct, frozen=True):
    """What metrics/dataset.json says of one kind of rows of a source."""

    rows: int
    kept: int
    excluded: int


class Account(NamedTuple):
    """What metrics/dataset.json says of a source: its rows by kind, and `kind:reason` of those left out."""

    kinds: dict[str, KindRows]
    excluded: dict[str, int]


class Refused(NamedTuple):
    """What a line that a line check refused says of itself; empty or None where that cannot be read."""

    item: str
    dataset: str
    unanswerable: bool | None
    twin: bool


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """`validate` in params.yaml."""

    min_unanswerable_share: float
    min_queries: int
    max_share: float
    max_question_chars: int


@dataclass
class Contents:
    """All that suite checks read. What a line check refused is not in `queries` or `entries`, but is counted.

    `refused` maps the kind, `annotation` or `corpus`, and the modality to those lines. `accounts`
    is metrics/dataset.json by source; `excluded` counts sets/excluded.jsonl by (source, kind, reason). `files` are the
    names in sets/ and corpus/.
    """

    limits: Limits
    dev_share: float
    manifest: list[Manifested]
    accounts: dict[str, Account]
    excluded: Counter[tuple[str, str, str]]
    files: dict[str, set[str]]
    queries: list[Query] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    refused: dict[tuple[str, str], list[Refused]] = field(default_factory=lambda: defaultdict(list))

    @cached_property
    def modalities(self) -> list[str]:
        """Those of the manifest, sorted."""
        return sorted({row.modality for row in self.manifest})

    @cached_property
    def by_dataset(self) -> dict[str, Manifested]:
        """The manifest's line of each dataset; the first where there are several."""
        return {row.dataset: row for row in reversed(self.manifest)}

    @cached_property
    def sources(self) -> dict[tuple[str, str], Entry]:
        """{(modality, source_id): entry}; the first where an id stands twice."""
        return {(entry.head.modality, entry.head.source_id): entry for entry in reversed(self.entries)}

    @cached_property
    def refused_items(self) -> set[tuple[str, str]]:
        """(kind, id) of refused lines: present, though not to be looked into."""
        return {(kind, row.item) for (kind, _), rows in self.refused.items() for row in rows}

    @cached_property
    def by_query_id(self) -> dict[str, Query]:
        """The first query of each id."""
        return {query.annotation.query_id: query for query in reversed(self.queries)}

    def absent(self, modality: str, source_id: str) -> bool:
        """Whether the corpus of `modality` has no such source. Not where its file is missing: another check says so."""
        return (
            (modality, source_id) not in self.sources
            and ("corpus", source_id) not in self.refused_items
            and f"{modality}.jsonl" in self.files["corpus"]
        )

    def evidence(self, annotation: Annotation) -> Iterator[tuple[Gold, Entry]]:
        """The gold of a query with its corpus entries, where there are such."""
        for gold in annotation.gold:
            if entry := self.sources.get((annotation.modality, gold.source_id)):
                yield gold, entry
