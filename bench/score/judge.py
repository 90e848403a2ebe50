"""Holding one query's hits against its gold: who finds what at which rank, and what leaks.

Hits are ranked by float32(score), then by docid, both descending, as trec_eval does, so that the order of the input
never matters. A docid is `source_id#` and the canonical JSON of the region.
"""

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import isfinite
from typing import NamedTuple

from msgspec import UNSET

from bench.errors import BenchError
from bench.jsonl import encode
from bench.measures.base import Judged
from bench.modalities import Finder, geometry
from bench.records import Annotation, Atom, CorpusHead, Hit, Region, RunLine


class Credit(NamedTuple):
    """What a hit is worth: the indexes of the gold regions that it is the first to find, or that it is oversized."""

    found: Sequence[int]
    oversized: bool = False


NOTHING, OVERSIZED = Credit(()), Credit((), oversized=True)


class Placed(NamedTuple):
    """A hit with its place resolved: one region, or those of its atom; none where the hit names none."""

    docid: bytes
    score: float
    strong: bool
    source_id: str
    regions: Sequence[Region]


def place(hit: Hit, atoms: Mapping[str, Atom], where: str) -> Placed:
    """Resolve an atom, and name the hit. BenchError, saying `where`, on a hit that names no place, or both kinds."""
    if not isfinite(hit.score):
        raise BenchError(f"{where}: score {hit.score} is no finite number")
    if isinstance(hit.atom_id, str):
        if hit.source_id is not UNSET or hit.region is not UNSET:
            raise BenchError(f"{where}: a hit has either an atom_id, or a source_id and a region")
        if hit.atom_id not in atoms:
            raise BenchError(f"{where}: atom {hit.atom_id!r} is not in the atoms.jsonl beside the run")
        atom = atoms[hit.atom_id]
        source_id, regions = atom.source_id, atom.regions
    elif isinstance(hit.source_id, str):
        source_id, regions = hit.source_id, [] if hit.region is UNSET else [hit.region]
    else:
        raise BenchError(f"{where}: a hit needs a source_id and a region, or an atom_id")
    place = encode(regions[0] if len(regions) == 1 else regions)
    return Placed(f"{source_id}#".encode() + place, hit.score, hit.strong, source_id, regions)


def rank(hits: Sequence[Placed], where: str) -> list[Placed]:
    """The hits in rank order. BenchError where the same place is returned twice."""
    if len({hit.docid for hit in hits}) < len(hits):
        seen: set[bytes] = set()
        twice = next(hit.docid for hit in hits if hit.docid in seen or seen.add(hit.docid))  # type: ignore[func-returns-value]
        raise BenchError(f"{where}: {twice.decode()} is returned twice; a place may stand in a ranking once")
    single = array("f", [hit.score for hit in hits])
    by_score = sorted(range(len(hits)), key=lambda index: -single[index])
    ranked: list[Placed] = []
    for _, tied in groupby(by_score, key=lambda index: single[index]):
        ranked += sorted((hits[index] for index in tied), key=lambda hit: hit.docid, reverse=True)
    return ranked


def judge(
    query: Annotation, line: RunLine, corpus: Mapping[str, CorpusHead], atoms: Mapping[str, Atom], run: str
) -> Judged:
    """See Judged. BenchError, naming `run` and the query, on a hit that is no hit."""
    where = f"{run}, query {query.query_id}"
    hits = rank([place(hit, atoms, where) for hit in line.hits], where)
    sources = [source_of(hit, query, corpus, where) for hit in hits]
    credited = credit(query, hits, corpus)
    grades = [grade(query, index) for index in range(len(query.gold))]
    return Judged(
        gains=[max((grades[index] for index in each.found), default=0.0) for each in credited],
        found=[len(each.found) for each in credited],
        grades=grades,
        strong=[hit.strong for hit in hits],
        late=[source.observed_at > query.as_of for source in sources],
        foreign=[source.holder != query.scope.holder for source in sources],
        oversized=sum(each.oversized for each in credited),
    )


def grade(query: Annotation, index: int) -> float:
    """The grade of a gold region: 1 where upstream does not grade."""
    relevance = query.gold[index].relevance
    return 1.0 if relevance is UNSET else float(relevance)


def source_of(hit: Placed, query: Annotation, corpus: Mapping[str, CorpusHead], where: str) -> CorpusHead:
    """The corpus entry of a hit. BenchError, saying `where`, where the query's modality has none of that id."""
    source = corpus.get(hit.source_id)
    if source is None or source.modality != query.modality:
        raise BenchError(f"{where}: source {hit.source_id!r} is not in the {query.modality} corpus of this suite")
    return source


def credit(query: Annotation, hits: Sequence[Placed], corpus: Mapping[str, CorpusHead]) -> list[Credit]:
    """What each hit is worth, given those before it."""
    shape = geometry(query.modality)
    regions: dict[str, list[Region]] = defaultdict(list)
    open_gold: dict[str, list[tuple[int, Finder]]] = defaultdict(list)
    for index, gold in enumerate(query.gold):
        regions[gold.source_id].append(gold.region)
        finder = shape.Finder(gold.region, corpus[gold.source_id].extent)
        open_gold[gold.source_id].append((index, finder))
    credited: list[Credit] = []
    for hit in hits:
        extent = corpus[hit.source_id].extent
        if (
            not hit.regions
            or any(shape.misshapen(region) for region in hit.regions)
            or shape.too_large(hit.regions, regions.get(hit.source_id, ()), extent)
        ):
            credited.append(OVERSIZED)
            continue
        found, missed = [], []
        for index, finder in open_gold.get(hit.source_id, ()):
            if finder.add(hit.regions):
                found.append(index)
            else:
                missed.append((index, finder))
        if found:
            open_gold[hit.source_id] = missed
        credited.append(Credit(found) if found else NOTHING)
    return credited
