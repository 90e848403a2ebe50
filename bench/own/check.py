"""A run held against its schema and its suite: every fault at once, each with file and line."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from bench.errors import BenchError
from bench.jsonl import parse_strict
from bench.own.load import files_of
from bench.records import MODALITIES, Annotation, Atom, CorpusHead, RunLine
from bench.schema import problems
from bench.score.judge import place, rank, source_of

SHOWN = 20


def check(run: Path, queries: Mapping[str, Annotation], corpus: Mapping[str, CorpusHead]) -> None:
    """BenchError, listing the first SHOWN faults and the count of the rest, where a run cannot be scored."""
    folder = run.parent if run.is_file() else run
    atoms: dict[str, Atom] = {}
    found = list(_atom_faults(folder / "atoms.jsonl", atoms, corpus))
    for path in files_of(run):
        found += _file_faults(path, atoms, queries, corpus)
    refuse(f"{run} cannot be scored", found)


def refuse(what: str, faults: list[str]) -> None:
    """BenchError, unless there are no faults: `what`, the first of them, and how many more there are."""
    if faults:
        rest = [f"and {len(faults) - SHOWN:,} more"] if len(faults) > SHOWN else []
        raise BenchError("\n  ".join([f"{what}: {len(faults):,} faults", *faults[:SHOWN], *rest]))


def _rows(path: Path, kind: str, faults: list[str]) -> Iterator[tuple[str, Any]]:
    """(file:line, row) of the lines that are JSON and satisfy the schema; the others' faults go to `faults`."""
    with path.open("rb") as file:
        for number, text in enumerate(file, 1):
            where = f"{path.name}:{number}"
            try:
                row = parse_strict(text)
            except ValueError as error:
                faults.append(f"{where}: not valid JSON: {error}; allowed: one JSON object a line")
                continue
            if found := problems(kind, row):
                faults += [f"{where}: {problem} (bench/schema/{kind}.schema.json)" for problem in found]
            else:
                yield where, row


def _atom_faults(path: Path, atoms: dict[str, Atom], corpus: Mapping[str, CorpusHead]) -> list[str]:
    """The faults of atoms.jsonl; fills `atoms` with those that can be told apart."""
    faults: list[str] = []
    if not path.is_file():
        return faults
    for where, row in _rows(path, "atoms", faults):
        atom = msgspec.convert(row, Atom)
        if atom.atom_id in atoms:
            faults.append(f"{where}: atom {atom.atom_id!r} stands there already; allowed: each once")
        if atom.source_id not in corpus:
            faults.append(f"{where}: source {atom.source_id!r} is not in the corpus of this suite")
        atoms[atom.atom_id] = atom
    return faults


def _file_faults(
    path: Path, atoms: Mapping[str, Atom], queries: Mapping[str, Annotation], corpus: Mapping[str, CorpusHead]
) -> list[str]:
    faults: list[str] = []
    seen: dict[str, str] = {}
    for where, row in _rows(path, "run", faults):
        line = msgspec.convert(row, RunLine)
        if line.query_id in seen:
            faults.append(
                f"{where}: query {line.query_id!r} has a line already, {seen[line.query_id]}; allowed: one a query"
            )
        seen[line.query_id] = where
        query = queries.get(line.query_id)
        if query is None:
            faults.append(f"{where}: {line.query_id!r} is no query of this suite; allowed: the query_id of its sets")
        elif path.stem in MODALITIES and query.modality != path.stem:
            faults.append(f"{where}: {line.query_id!r} is a {query.modality} query; allowed: in {query.modality}.jsonl")
        else:
            faults += _hit_faults(line, query, atoms, corpus, where)
    return faults


def _hit_faults(
    line: RunLine, query: Annotation, atoms: Mapping[str, Atom], corpus: Mapping[str, CorpusHead], where: str
) -> Iterator[str]:
    placed = []
    for number, hit in enumerate(line.hits):
        try:
            placed.append(place(hit, atoms, f"{where}: hits[{number}]"))
            source_of(placed[-1], query, corpus, f"{where}: hits[{number}]")
        except BenchError as error:
            yield str(error)
    try:
        rank(placed, where)
    except BenchError as error:
        yield str(error)
