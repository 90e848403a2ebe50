"""pdf: `{page}` or `{page, block}`, 1-based ordinals of the PDF. Extent `{pages}`. Found by a hit on the same page."""

from collections.abc import Sequence

from bench.modalities import Extent, no_ordinal
from bench.records import Region

MAX_PAGES = 2


def misshapen(region: Region) -> str | None:
    """See bench.modalities."""
    return no_ordinal(region, "page", optional=("block",))


def outside(region: Region, extent: Extent) -> str | None:
    """See bench.modalities."""
    return f"page {region['page']} of {extent['pages']}" if region["page"] > extent["pages"] else None


def too_large(regions: Sequence[Region], gold: Sequence[Region], extent: Extent) -> bool:
    """Whether the hit covers more than two pages."""
    return len({region["page"] for region in regions}) > MAX_PAGES


class Finder:
    """Finds a page."""

    def __init__(self, gold: Region, extent: Extent) -> None:
        self._page = gold["page"]

    def add(self, regions: Sequence[Region]) -> bool:
        """Whether one of the pages is the gold's."""
        return any(region["page"] == self._page for region in regions)
