"""video: `{t_start, t_end}` in seconds from the start of the source. Extent `{duration}`.

Found at the rank where the hits so far that overlap the gold, taken together, reach IoU >= 0.5 with it.
"""

from collections.abc import Sequence

from bench.modalities import Extent, number
from bench.records import Region

MIN_IOU = 0.5
MAX_TIMES_GOLD = 2.0
Span = tuple[float, float]


def misshapen(region: Region) -> str | None:
    """See bench.modalities."""
    if set(region) != {"t_start", "t_end"} or not all(number(value) for value in region.values()):
        return f"the region must be {{t_start, t_end}} in seconds, not {region}"
    return None


def outside(region: Region, extent: Extent) -> str | None:
    """See bench.modalities."""
    start, end = _span(region)
    if not 0 <= start < end <= extent["duration"]:
        return f"{start}-{end} s is not a span within the source's 0-{extent['duration']} s"
    return None


def too_large(regions: Sequence[Region], gold: Sequence[Region], extent: Extent) -> bool:
    """Whether the hit lasts more than twice as long as every gold region of its source."""
    longest = max((end - start for start, end in map(_span, gold)), default=None)
    return longest is not None and length([_span(region) for region in regions]) > MAX_TIMES_GOLD * longest


class Finder:
    """Finds a span."""

    def __init__(self, gold: Region, extent: Extent) -> None:
        self._gold = _span(gold)
        self._hits: list[Span] = []

    def add(self, regions: Sequence[Region]) -> bool:
        """Whether the union of this and the earlier overlapping hits reaches the IoU."""
        start, end = self._gold
        spans = [_span(region) for region in regions]
        if not any(first < end and start < last for first, last in spans):
            return False
        self._hits += spans
        covered = length([(max(first, start), min(last, end)) for first, last in self._hits])
        return covered >= MIN_IOU * length([*self._hits, self._gold])


def length(spans: Sequence[Span]) -> float:
    """Seconds that the union of the spans covers; a reversed or empty span covers nothing."""
    total, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        if end > max(start, reached):
            total += end - max(start, reached)
            reached = end
    return total


def _span(region: Region) -> Span:
    return region["t_start"], region["t_end"]
