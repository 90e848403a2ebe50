"""Docids, read and written."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bench.jsonl import encode, parse_strict
from bench.records import CorpusHead, Region
from bench.schema import problems

ALLOWED = 'source_id#region, as doc.pdf#{"page":3}; or an atom_id, with --atoms; or an image\'s source_id'


class Place(NamedTuple):
    """What a docid names. Several regions: a chunk that an atom must stand for."""

    source_id: str
    regions: list[Region]


def parse_docid(docid: str, corpus: Mapping[str, CorpusHead]) -> Place:
    """ValueError, saying what is wrong, on a docid that names no place of the corpus."""
    if docid in corpus and corpus[docid].modality == "image":
        return Place(docid, [{}])
    ends = [at for sign in ("#{", "#[") if (at := docid.find(sign)) >= 0]
    if not ends:
        raise ValueError(f"docid {docid!r} has no region; allowed: {ALLOWED}")
    source_id, written = docid[: min(ends)], docid[min(ends) + 1 :]
    if source_id not in corpus:
        raise ValueError(f"source {source_id!r} is not in the corpus of this suite")
    try:
        region = parse_strict(written.encode())
    except ValueError as error:
        raise ValueError(f"region {written!r} is not valid JSON: {error}") from None
    regions = region if isinstance(region, list) else [region]
    atom = {"atom_id": "x", "source_id": source_id, "regions": regions}
    if found := problems("atoms", atom):
        raise ValueError(f"region {written!r}: {found[0]}")
    return Place(source_id, regions)


def docid_of(source_id: str, regions: Sequence[Region]) -> str:
    """The canonical docid of a place."""
    return f"{source_id}#{encode(regions[0] if len(regions) == 1 else regions).decode()}"
