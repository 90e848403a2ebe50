"""conversation: `{turn}`, 1-based in its session. Extent `{turns}`. Found by a hit on the same turn."""

from collections.abc import Sequence

from bench.modalities import Extent, no_ordinal
from bench.records import Region

MAX_TURNS = 4


def misshapen(region: Region) -> str | None:
    """See bench.modalities."""
    return no_ordinal(region, "turn")


def outside(region: Region, extent: Extent) -> str | None:
    """See bench.modalities."""
    return f"turn {region['turn']} of {extent['turns']}" if region["turn"] > extent["turns"] else None


def too_large(regions: Sequence[Region], gold: Sequence[Region], extent: Extent) -> bool:
    """Whether the hit covers more than four turns."""
    return len({region["turn"] for region in regions}) > MAX_TURNS


class Finder:
    """Finds a turn."""

    def __init__(self, gold: Region, extent: Extent) -> None:
        self._turn = gold["turn"]

    def add(self, regions: Sequence[Region]) -> bool:
        """Whether one of the turns is the gold's."""
        return any(region["turn"] == self._turn for region in regions)
