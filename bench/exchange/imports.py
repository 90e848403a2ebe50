"""`bench runs import`: scored docids of another tool -> a run of this suite."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from bench.errors import BenchError
from bench.exchange.docids import docid_of, parse_docid
from bench.exchange.read import Scored
from bench.jsonl import read_rows, write_rows
from bench.own.check import refuse
from bench.records import MODALITIES, Annotation, Atom, CorpusHead, Hit, RunLine
from bench.score.run import read_corpus, read_queries
from bench.suite import Suite


class Imported(NamedTuple):
    """What was written: lines by modality, hits, and how many of them are strong."""

    lines: dict[str, int]
    hits: int
    strong: int


def import_run(
    path: Path, hits: Iterable[Scored], suite: Suite, out: Path, strong_from: float | None, atoms: Path | None
) -> Imported:
    """Write `out`/<modality>.jsonl, and atoms.jsonl where hits span several regions.

    A hit is strong from the score `strong_from`; without it none is. BenchError, with file and line of all faults, on
    an unknown query, source or atom, a docid that is none, a score that is no finite number, and a repeated hit.
    """
    if out.exists() and any(out.iterdir()):
        raise BenchError(f"{out} is not empty: name a folder that is, or is not there yet")
    queries = read_queries(suite)
    convert = _Conversion(path, queries, read_corpus(suite), strong_from, atoms)
    for hit in hits:
        convert.add(hit)
    refuse(f"{path} cannot be imported", convert.faults)
    if not convert.found:
        raise BenchError(f"{path} holds no query")
    by_modality: dict[str, list[RunLine]] = {modality: [] for modality in MODALITIES}
    for query_id, found in sorted(convert.found.items()):
        by_modality[queries[query_id].modality].append(RunLine(query_id, list(found.values())))
    lines = {modality: write_rows(out / f"{modality}.jsonl", rows) for modality, rows in by_modality.items() if rows}
    if convert.atoms:
        write_rows(out / "atoms.jsonl", [atom for _, atom in sorted(convert.atoms.items())])
    every = [hit for found in convert.found.values() for hit in found.values()]
    return Imported(lines, len(every), sum(hit.strong for hit in every))


class _Conversion:
    """Hits by query and place, the atoms that they name, and all faults."""

    def __init__(
        self,
        path: Path,
        queries: Mapping[str, Annotation],
        corpus: Mapping[str, CorpusHead],
        strong_from: float | None,
        atoms: Path | None,
    ) -> None:
        self.found: dict[str, dict[str, Hit]] = defaultdict(dict)
        self.atoms = {atom.atom_id: atom for atom in read_rows(atoms, Atom)} if atoms else {}
        self.faults: list[str] = []
        self._path, self._queries, self._corpus, self._strong_from = path, queries, corpus, strong_from
        self._docids_are_atoms = atoms is not None

    def add(self, scored: Scored) -> None:
        """Take a hit, or note what is wrong with it."""
        try:
            query = self._query(scored.query_id)
            if scored.docid is None:
                self.found[scored.query_id] = {}
                return
            place, hit = self._hit(scored.docid, scored.score, query)
        except ValueError as error:
            self.faults.append(f"{self._path}:{scored.line}: {error}")
            return
        if place in self.found[scored.query_id]:
            self.faults.append(
                f"{self._path}:{scored.line}: query {scored.query_id!r} has {place!r} already; "
                "a place may stand in a ranking once"
            )
        self.found[scored.query_id][place] = hit

    def _query(self, query_id: str) -> Annotation:
        if query_id not in self._queries:
            raise ValueError(f"{query_id!r} is no query of this suite")
        return self._queries[query_id]

    def _hit(self, docid: str, score: object, query: Annotation) -> tuple[str, Hit]:
        if isinstance(score, bool) or not isinstance(score, int | float) or not isfinite(array("f", [score])[0]):
            raise ValueError(f"score {score!r}; allowed: a finite number within float32")
        strong = self._strong_from is not None and score >= self._strong_from
        source_id, place, hit = self._place(docid, float(score), strong)
        if source_id not in self._corpus or self._corpus[source_id].modality != query.modality:
            raise ValueError(f"source {source_id!r} is not in the {query.modality} corpus of this suite")
        return place, hit

    def _place(self, docid: str, score: float, strong: bool) -> tuple[str, str, Hit]:
        """(source, canonical docid, hit)."""
        if self._docids_are_atoms:
            if docid not in self.atoms:
                raise ValueError(f"{docid!r} is no atom of the file that --atoms names")
            atom = self.atoms[docid]
            return atom.source_id, docid_of(atom.source_id, atom.regions), Hit(score, strong, atom_id=docid)
        source_id, regions = parse_docid(docid, self._corpus)
        place = docid_of(source_id, regions)
        if len(regions) == 1:
            return source_id, place, Hit(score, strong, source_id=source_id, region=regions[0])
        self.atoms[place] = Atom(place, source_id, regions)
        return source_id, place, Hit(score, strong, atom_id=place)
