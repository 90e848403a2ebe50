"""Every gold region lies inside its source's extent."""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding
from bench.modalities import geometry

CODE = "E122"
NAME = "gold_extent"
REMEDY = "Correct the region: pages, turns and lines count from 1; boxes are in pixels, spans in seconds."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield each gold region that reaches outside of its source."""
    shapes = {modality: geometry(modality) for modality in {query.annotation.modality for query in contents.queries}}
    for query in contents.queries:
        shape = shapes[query.annotation.modality]
        for gold, entry in contents.evidence(query.annotation):
            if reason := shape.outside(gold.region, entry.head.extent):
                yield query.finding(CODE, reason, f"a region within {gold.source_id} ({entry.path}:{entry.line})")
