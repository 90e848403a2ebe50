"""A region has the form of its modality: never a whole file where the modality has regions.

pdf `{page}` or `{page, block}`; image `{}`; ui_screenshot `{bbox}`; video `{t_start, t_end}`; code `{path, symbol}` or
`{path, line}`; conversation `{turn}`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from bench.checks.base import Finding, Line
from bench.modalities import geometry

CODE = "E103"
NAME = "region_kind"
REMEDY = "Give the page, box, span, symbol or turn that answers, counted from 1."

_shape = cache(geometry)
_REGION = re.compile(r"\$\.(?:gold|units)\[\d+\]\.region")


def in_region(problem: str) -> bool:
    """Whether a problem of the schema lies within a region."""
    return _REGION.match(problem) is not None


def check(line: Line) -> Iterator[Finding]:
    """Yield each region that the schema refuses, or the modality."""
    allowed = f"a region of {line.modality}, as bench/modalities/{line.modality}.py says"
    by_region: dict[str, list[str]] = defaultdict(list)
    for problem in line.problems:
        if match := _REGION.match(problem):
            by_region[match[0]].append(problem)
    for problems in by_region.values():
        yield line.finding(CODE, "; ".join(problems), allowed)
    if line.fault or line.problems or line.kind != "annotation":
        return
    shape = _shape(line.value["modality"])
    for index, gold in enumerate(line.value["gold"]):
        if reason := shape.misshapen(gold["region"]):
            yield line.finding(CODE, f"$.gold[{index}].region: {reason}", allowed)
