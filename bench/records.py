"""The records that every part shares. `bench/schema/*.schema.json` says the same for people and other tools.

A region is a mapping whose keys depend on the modality (see `bench.modalities`); units and bases are stated there.
"""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

MODALITIES = ("pdf", "image", "ui_screenshot", "video", "code", "conversation")
Region = dict[str, Any]


class Gold(msgspec.Struct, frozen=True, omit_defaults=True):
    """A region that answers the query. `relevance` only where the upstream grades it (a positive number)."""

    source_id: str
    region: Region
    relevance: float | UnsetType = UNSET


class Scope(msgspec.Struct, frozen=True):
    """Who asks (`holder`), about which source (`session`, None = all that the holder may see), and in what setting."""

    holder: str
    session: str | None
    scenario: str


class Origin(msgspec.Struct, frozen=True):
    """Where the query stands upstream: `item` finds the row within `dataset` at `revision`."""

    dataset: str
    revision: str
    item: str
    license: str


class TwinOf(msgspec.Struct, frozen=True):
    """On a derived unanswerable: the answerable original, and `other_holder` or `before_observation`."""

    query_id: str
    kind: str


class Annotation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of `sets/<modality>.jsonl`: a query and its gold. `gold` is empty exactly when `unanswerable`."""

    query_id: str
    modality: str
    question: str
    answer: str | int | float | list[Any] | None
    answer_format: str
    gold: list[Gold]
    scope: Scope
    as_of: str
    unanswerable: bool
    origin: Origin
    split: str
    twin_of: TwinOf | UnsetType = UNSET

    @property
    def unanswerable_class(self) -> str | None:
        """`native`, `other_holder` or `before_observation`; None on an answerable query."""
        if not self.unanswerable:
            return None
        return "native" if self.twin_of is UNSET else self.twin_of.kind


class Unit(msgspec.Struct, frozen=True):
    """The smallest region that the upstream itself draws, and its text."""

    region: Region
    text: str


class CorpusEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of `corpus/<modality>.jsonl`: one source. `observed_at` is when its holder first had it."""

    source_id: str
    modality: str
    holder: str
    observed_at: str
    dataset: str
    revision: str
    title: str
    extent: dict[str, Any]
    units: list[Unit]


class CorpusHead(msgspec.Struct, frozen=True):
    """A corpus entry without its units: what checks and the scorer keep in memory."""

    source_id: str
    modality: str
    holder: str
    observed_at: str
    dataset: str
    extent: dict[str, Any]


class Hit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A ranked region. `atom_id` stands in place of source and region where `atoms.jsonl` lies beside the run."""

    score: float
    strong: bool
    source_id: str | UnsetType = UNSET
    region: Region | UnsetType = UNSET
    atom_id: str | UnsetType = UNSET


class RunLine(msgspec.Struct, frozen=True):
    """A line of `runs/<system>/<modality>.jsonl`: all hits of one query. No hits means that the system abstains."""

    query_id: str
    hits: list[Hit]


class Atom(msgspec.Struct, frozen=True):
    """A line of `atoms.jsonl`: a system's own chunk of one source, over one or more regions."""

    atom_id: str
    source_id: str
    regions: list[Region]


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """A line of `scores/<system>/per_query.jsonl`.

    `answered`: the run has a line. `scores`: by measure, those that apply to the query.
    """

    query_id: str
    modality: str
    dataset: str
    scenario: str
    split: str
    unanswerable: str | None
    answered: bool
    hits: int
    oversized: int
    scores: dict[str, float]
