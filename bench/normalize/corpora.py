"""Reading one source through its adapter, and merging what the sources give into one corpus a modality.

Documents are streamed: a source's go to a work file as they come, and only ids and offsets stay in memory.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from bench.errors import BenchError
from bench.jsonl import encode, replacing
from bench.normalize.assign import holders, observed_at
from bench.normalize.twins import Owned
from bench.records import MODALITIES, CorpusEntry, Unit
from bench.registry import Source
from bench.upstream import adapter
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows


@dataclass
class Part:
    """What one source gives: `entries` is a work file of corpus entries, sorted by source_id."""

    source: Source
    entries: Path
    owned: dict[str, Owned] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    excluded: list[Excluded] = field(default_factory=list)
    resolved: list[Resolved] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    kept: dict[str, int] = field(default_factory=lambda: {"document": 0, "caption": 0})


def read_source(source: Source, raw: Path, options: dict[str, Any], assign: dict[str, Any], entries: Path) -> Part:
    """Run the adapter of `source` over its raw files, assign what upstream does not state, and write `entries`."""
    part = Part(source, entries)
    unsorted = entries.with_suffix(".unsorted")
    offsets: dict[str, int] = {}
    with unsorted.open("w+b") as file:
        for record in _records(source, Raw(raw, source.dataset, source.revision, options)):
            match record:
                case Document():
                    if record.source_id in offsets:
                        raise BenchError(f"{source.name}: two documents are called {record.source_id}")
                    offsets[record.source_id] = file.tell()
                    part.owned[record.source_id] = Owned(record.holder or "", record.observed_at or "", source.dataset)
                    part.kept["document"] += 1
                    part.kept["caption"] += len(record.units)
                    file.write(encode(record._asdict()) + b"\n")
                case Question():
                    part.questions.append(record)
                case Excluded():
                    part.excluded.append(record)
                case Resolved():
                    part.resolved.append(record)
                case Rows():
                    part.rows[record.kind] = part.rows.get(record.kind, 0) + record.total
        _assign(part, assign)
        _write_sorted(part, file, offsets)
    unsorted.unlink()
    return part


def _records(source: Source, raw: Raw) -> Iterator[Record]:
    """What the adapter yields; a row of another shape than it knows is a fault of the release, and is said so."""
    try:
        yield from adapter(source.adapter).read(raw)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise BenchError(
            f"{source.name}: a row is not of the shape that adapter {source.adapter} expects: "
            f"{type(error).__name__}: {error}. Is revision {source.revision} another release?"
        ) from error


def _assign(part: Part, assign: dict[str, Any]) -> None:
    dataset = part.source.dataset
    unowned = [source_id for source_id, owned in part.owned.items() if not owned.holder]
    assigned = holders(dataset, unowned, assign["sources_per_holder"])
    for source_id, owned in part.owned.items():
        holder = owned.holder or assigned[source_id]
        moment = owned.observed_at or observed_at(dataset, source_id, assign["epoch"])
        part.owned[source_id] = Owned(holder, moment, dataset)


def _write_sorted(part: Part, unsorted: BinaryIO, offsets: dict[str, int]) -> None:
    with part.entries.open("wb") as file:
        for source_id in sorted(offsets):
            unsorted.seek(offsets[source_id])
            document = msgspec.json.decode(unsorted.readline())
            owned = part.owned[source_id]
            entry = CorpusEntry(
                source_id=source_id,
                modality=part.source.modality,
                holder=owned.holder,
                observed_at=owned.observed_at,
                dataset=part.source.dataset,
                revision=part.source.revision,
                title=document["title"],
                extent=document["extent"],
                units=[Unit(region, text) for region, text in document["units"]],
            )
            file.write(encode(entry) + b"\n")


def merge_corpora(parts: list[Part], folder: Path) -> None:
    """Write corpus/<modality>.jsonl, sorted by source_id, from the work files of all sources."""
    for modality in MODALITIES:
        entries = [_keyed(part.entries) for part in parts if part.source.modality == modality]
        if not entries:
            continue
        with replacing(folder / f"{modality}.jsonl") as file:
            before = None
            for source_id, line in heapq.merge(*entries):
                if source_id == before:
                    raise BenchError(f"two sources of the suite hold a document called {source_id}")
                file.write(line)
                before = source_id


class _Id(msgspec.Struct):
    source_id: str


def _keyed(path: Path) -> Iterator[tuple[str, bytes]]:
    decoder = msgspec.json.Decoder(_Id)
    with path.open("rb") as file:
        for line in file:
            yield decoder.decode(line).source_id, line
