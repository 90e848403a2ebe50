"""The source registry: one YAML a source in `bench/sources/`, checked against `bench/schema/source.schema.json`."""

from pathlib import Path
from typing import Any

import msgspec

from bench.errors import BenchError
from bench.schema import problems
from bench.yamls import read_yaml

SOURCES = Path(__file__).resolve().parent / "sources"


class File(msgspec.Struct, frozen=True):
    """An upstream file: `path` is its name within raw/<source>/. Unpinned while it has no sha256."""

    path: str
    url: str
    sha256: str | None = None
    bytes: int | None = None


class Licence(msgspec.Struct, frozen=True):
    """`spdx` as read at `read_at`; `redistribute`: may the files be handed on."""

    spdx: str
    read_at: str
    redistribute: bool


class AnnotationSource(msgspec.Struct, frozen=True):
    """Who says what is gold: `human` or `structure` (of the document itself), and how."""

    kind: str
    how: str


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a source is, where it comes from, and under which terms."""

    name: str
    dataset: str
    adapter: str
    modality: str
    title: str
    url: str
    revision: str
    retrieved_at: str | None = None
    text: str
    licence: Licence
    annotation_source: AnnotationSource
    citation: str | None = None
    how_to_get: str | None = None
    options: dict[str, Any] = {}
    files: list[File]

    @property
    def pinned(self) -> bool:
        """Whether every file has its sha256 and size, so that fetch may bring it."""
        return bool(self.files) and all(file.sha256 and file.bytes is not None for file in self.files)


def source_names() -> list[str]:
    """All names in the registry, sorted."""
    return sorted(path.stem for path in SOURCES.glob("*.yaml"))


def source_path(name: str) -> Path:
    """Where the entry of `name` stands."""
    return SOURCES / f"{name}.yaml"


def load_source(name: str) -> Source:
    """The registry entry of `name`. BenchError where there is none, or where it breaks the schema."""
    path = source_path(name)
    if not path.is_file():
        known = ", ".join(source_names())
        raise BenchError(f"source {name!r} has no bench/sources/{name}.yaml; the registry holds: {known}")
    entry = read_yaml(path, f"bench/sources/{name}.yaml")
    if found := problems("source", entry):
        raise BenchError(f"bench/sources/{name}.yaml: " + "; ".join(found))
    source = msgspec.convert(entry, Source)
    if source.name != name:
        raise BenchError(f"bench/sources/{name}.yaml says name: {source.name}; it must be its file's name")
    return source
