"""The source registry: one YAML a source in `bench/sources/`, checked against `bench/schema/source.schema.json`.

A suite may keep entries of its own in `<suite>/sources/`, which are looked at first: a private corpus then needs no
change to this repository.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from bench.errors import BenchError
from bench.root import ROOT
from bench.schema import problems
from bench.yamls import read_yaml

SOURCES = ROOT / "bench" / "sources"


class File(msgspec.Struct, frozen=True):
    """An upstream file: `path` is its name within raw/<source>/. Unpinned while it has no sha256.

    `mirror` is its path under a mirror's root, where that is not `<source>/<path>`.
    """

    path: str
    url: str
    sha256: str | None = None
    bytes: int | None = None
    mirror: str | None = None

    @property
    def pinned(self) -> bool:
        """Whether its sha256 and size are known."""
        return self.sha256 is not None and self.bytes is not None


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
        return all(file.pinned for file in self.files)


def source_names(folders: Sequence[Path] = ()) -> list[str]:
    """All names in the registry and in `folders`, sorted."""
    return sorted({path.stem for folder in (*folders, SOURCES) for path in folder.glob("*.yaml")})


def source_path(name: str, folders: Sequence[Path] = ()) -> Path:
    """Where the entry of `name` stands: in the first of `folders` that has it, else in `bench/sources/`.

    BenchError where none has it.
    """
    for folder in (*folders, SOURCES):
        path = folder / f"{name}.yaml"
        if path.is_file():
            return path
    known = ", ".join(source_names(folders))
    raise BenchError(f"source {name!r} has no bench/sources/{name}.yaml; the registry holds: {known}")


def load_source(name: str, folders: Sequence[Path] = ()) -> Source:
    """The registry entry of `name`. BenchError where there is none, or where it breaks the schema."""
    path = source_path(name, folders)
    shown = f"{path.parent.parent.name}/sources/{name}.yaml"
    entry = read_yaml(path, shown)
    if found := problems("source", entry):
        raise BenchError(f"{shown}: " + "; ".join(found))
    source = msgspec.convert(entry, Source)
    if source.name != name:
        raise BenchError(f"{shown} says name: {source.name}; it must be its file's name")
    paths = [file.path for file in source.files]
    if twice := sorted({path for path in paths if paths.count(path) > 1}):
        raise BenchError(f"{shown} lists {', '.join(twice)} more than once; every file needs a path of its own")
    return source
