"""Runs on disk: `<folder>/<modality>.jsonl`, one query a line, with `atoms.jsonl` and `system.json` beside them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.errors import BenchError
from bench.jsonl import read_document, read_rows
from bench.records import MODALITIES, Atom, RunLine

# What a system that says nothing about itself is measured on: everything.
UNSTATED = {"reads": "any"}


class Run:
    """A system's answers in one folder. `reads: text` in system.json: it cannot be measured on sources without text."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name
        stated = folder / "system.json"
        self.system: dict[str, Any] = read_document(stated) if stated.is_file() else UNSTATED
        if not isinstance(self.system, dict):
            raise BenchError(f'system.json of run {name} must be an object, like {{"reads": "text"}}')
        self.atoms: dict[str, Atom] = {}
        atoms = folder / "atoms.jsonl"
        for number, atom in enumerate(read_rows(atoms, Atom) if atoms.is_file() else (), 1):
            if atom.atom_id in self.atoms:
                raise BenchError(f"atoms.jsonl:{number} of run {name}: atom {atom.atom_id!r} stands there already")
            self.atoms[atom.atom_id] = atom

    @property
    def files(self) -> list[Path]:
        """The run files that are there, in the order of MODALITIES."""
        found = [self.folder / f"{modality}.jsonl" for modality in MODALITIES]
        return [path for path in found if path.is_file()]

    def lines(self) -> Iterator[tuple[str, RunLine]]:
        """(modality, line), streamed. BenchError where a query has two lines."""
        for path in self.files:
            seen: set[str] = set()
            for number, line in enumerate(read_rows(path, RunLine), 1):
                if line.query_id in seen:
                    raise BenchError(
                        f"{path.name}:{number} of run {self.name}: query {line.query_id} has a line already"
                    )
                seen.add(line.query_id)
                yield path.stem, line
