"""Why a hit counts, or does not, in words and with numbers."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bench.explain.overlap import iou
from bench.modalities import geometry
from bench.records import Annotation, CorpusHead
from bench.score.judge import Credit, Placed


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    """`kind`: finds, found_already, overlaps, nothing, oversized, future, other_holder or original_evidence.

    `gold` is the number of the region that is spoken of, from 1, in the query's gold (the original's on a twin).
    """

    kind: str
    says: str
    gold: int | None = None


def reasons(
    query: Annotation,
    ranked: Sequence[Placed],
    credited: Sequence[Credit],
    corpus: Mapping[str, CorpusHead],
    original: Annotation | None,
) -> list[list[Reason]]:
    """The reasons of every hit, in rank order. `original` is what a twin is derived from."""
    finder_of: dict[int, int] = {}
    told = []
    for rank, (hit, credit) in enumerate(zip(ranked, credited, strict=True), 1):
        finder_of |= dict.fromkeys(credit.found, rank)
        worth = [_oversized(query, hit)] if credit.oversized else list(_worth(query, hit, credit, corpus, finder_of))
        evidence = [] if credit.oversized or original is None else list(_evidence(original, hit, corpus))
        told.append([*worth, *evidence, *_leaks(query, corpus[hit.source_id])])
    return told


def _worth(
    query: Annotation, hit: Placed, credit: Credit, corpus: Mapping[str, CorpusHead], finder_of: Mapping[int, int]
) -> Iterator[Reason]:
    spoken = False
    for index, gold in enumerate(query.gold):
        if gold.source_id != hit.source_id:
            continue
        share = iou(query.modality, hit.regions, gold.region)
        if index in credit.found:
            together = "" if share is None else f" (IoU {share:.2f} alone)"
            yield Reason("finds", f"finds gold {index + 1}{together}", index + 1)
        elif index in finder_of and (share if share is not None else _finds(query, index, hit, corpus)):
            yield Reason("found_already", f"gold {index + 1} again, found at rank {finder_of[index]}", index + 1)
        elif share:
            yield Reason("overlaps", f"overlaps gold {index + 1}, IoU {share:.2f} alone, not yet 0.5", index + 1)
        else:
            continue
        spoken = True
    if not spoken:
        yield Reason("nothing", "finds nothing")


def _finds(query: Annotation, index: int, hit: Placed, corpus: Mapping[str, CorpusHead]) -> bool:
    """Whether the hit by itself finds a gold region of its own source."""
    gold = query.gold[index]
    return geometry(query.modality).Finder(gold.region, corpus[gold.source_id].extent).add(hit.regions)


def _evidence(original: Annotation, hit: Placed, corpus: Mapping[str, CorpusHead]) -> Iterator[Reason]:
    for index, gold in enumerate(original.gold):
        if gold.source_id == hit.source_id and _finds(original, index, hit, corpus):
            says = f"is the original's gold {index + 1}, which must not come back here"
            yield Reason("original_evidence", says, index + 1)


def _oversized(query: Annotation, hit: Placed) -> Reason:
    shape = geometry(query.modality)
    if not hit.regions:
        return Reason("oversized", "names no region of its source, so it finds nothing")
    wrong = next((found for region in hit.regions if (found := shape.misshapen(region))), None)
    if wrong:
        return Reason("oversized", f"finds nothing: {wrong}")
    return Reason("oversized", f"covers too much to say anything: {LIMITS[query.modality]}")


LIMITS = {
    "pdf": "at most 2 pages",
    "image": "the picture",
    "ui_screenshot": "at most twice the area of every gold region of its source",
    "video": "at most twice as long as every gold region of its source",
    "code": "at most 1 symbol",
    "conversation": "at most 4 turns",
}


def _leaks(query: Annotation, source: CorpusHead) -> Iterator[Reason]:
    if source.observed_at > query.as_of:
        yield Reason("future", f"LEAK: observed {source.observed_at}, after as_of {query.as_of}")
    if source.holder != query.scope.holder:
        yield Reason("other_holder", f"LEAK: holder {source.holder}, asked by {query.scope.holder}")
