"""image: `{}`, the whole picture. Extent `{width, height}`. Found by a hit on the source."""

from collections.abc import Sequence

from bench.modalities import Extent
from bench.records import Region


def misshapen(region: Region) -> str | None:
    """See bench.modalities."""
    return f"the region of an image is {{}}, not {region}" if region else None


def outside(region: Region, extent: Extent) -> str | None:
    """Never: the picture is the region."""
    return None


def too_large(regions: Sequence[Region], gold: Sequence[Region], extent: Extent) -> bool:
    """Never: the picture is the region."""
    return False


class Finder:
    """Finds a picture."""

    def __init__(self, gold: Region, extent: Extent) -> None:
        pass

    def add(self, regions: Sequence[Region]) -> bool:
        """Always: the hit is on the source."""
        return True
