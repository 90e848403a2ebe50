"""ui_screenshot: `{bbox: [x0, y0, x1, y1]}` in pixels from the top left. Extent `{width, height}`.

Found at the rank where the hits so far that overlap the gold, taken together, reach IoU >= 0.5 with it.
"""

from collections.abc import Sequence
from itertools import pairwise

from bench.modalities import Extent, number
from bench.modalities.video import length
from bench.records import Region

MIN_IOU = 0.5
MAX_TIMES_GOLD = 2.0
Box = tuple[float, float, float, float]


def misshapen(region: Region) -> str | None:
    """See bench.modalities."""
    box = region.get("bbox")
    if set(region) != {"bbox"} or not isinstance(box, list) or len(box) != 4 or not all(map(number, box)):
        return f"the region must be {{bbox: [x0, y0, x1, y1]}} in pixels, not {region}"
    return None


def outside(region: Region, extent: Extent) -> str | None:
    """See bench.modalities."""
    x0, y0, x1, y1 = box = region["bbox"]
    if not (0 <= x0 < x1 <= extent["width"] and 0 <= y0 < y1 <= extent["height"]):
        return f"{box} is not a box within the source's {extent['width']} x {extent['height']} pixels"
    return None


def too_large(regions: Sequence[Region], gold: Sequence[Region], extent: Extent) -> bool:
    """Whether the hit has more than twice the area of every gold region of its source."""
    largest = max((area([_box(region)]) for region in gold), default=None)
    return largest is not None and area([_box(region) for region in regions]) > MAX_TIMES_GOLD * largest


class Finder:
    """Finds a box."""

    def __init__(self, gold: Region, extent: Extent) -> None:
        self._gold = _box(gold)
        self._hits: list[Box] = []

    def add(self, regions: Sequence[Region]) -> bool:
        """Whether the union of this and the earlier overlapping hits reaches the IoU."""
        boxes = [_box(region) for region in regions]
        if not any(area([_common(box, self._gold)]) for box in boxes):
            return False
        self._hits += boxes
        covered = area([_common(box, self._gold) for box in self._hits])
        return covered >= MIN_IOU * area([*self._hits, self._gold])


def area(boxes: Sequence[Box]) -> float:
    """Square pixels that the union of the boxes covers, swept from left to right."""
    edges = sorted({x for x0, _, x1, _ in boxes for x in (x0, x1)})
    return sum(
        (right - left) * length([(y0, y1) for x0, y0, x1, y1 in boxes if x0 <= left and right <= x1])
        for left, right in pairwise(edges)
    )


def _common(a: Box, b: Box) -> Box:
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def _box(region: Region) -> Box:
    x0, y0, x1, y1 = region["bbox"]
    return x0, y0, x1, y1
