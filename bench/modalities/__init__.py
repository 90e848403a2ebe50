"""What a region is in each modality, and when a hit finds it. One module a modality, each with:

    misshapen(region)                   why `region` is none of this modality; None if it is one
    outside(region, extent)             why a well-shaped region is not inside its source; None if it is
    too_large(regions, gold, extent)    whether a hit on `regions` covers so much of its source that it says nothing:
                                        `gold` are all gold regions of that source
    Finder(gold, extent)                finds one gold region: `add(regions)` takes the hits on its source in rank
                                        order and says whether the region counts as found with this one

A hit is the list of its regions: one as a rule, several where a system's own chunk spans them.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from bench.records import MODALITIES, Region

Extent = dict[str, Any]


class Finder(Protocol):
    """See the module docstring."""

    def __init__(self, gold: Region, extent: Extent) -> None: ...
    def add(self, regions: Sequence[Region]) -> bool: ...


class Geometry(Protocol):
    """What every module here provides."""

    Finder: type[Finder]

    def misshapen(self, region: Region) -> str | None: ...
    def outside(self, region: Region, extent: Extent) -> str | None: ...
    def too_large(self, regions: Sequence[Region], gold: Sequence[Region], extent: Extent) -> bool: ...


def geometry(modality: str) -> Geometry:
    """The module of `modality`, which must be one of MODALITIES."""
    if modality not in MODALITIES:
        raise ValueError(f"modality {modality!r}; allowed: {', '.join(MODALITIES)}")
    return cast(Geometry, import_module(f"bench.modalities.{modality}"))


def no_ordinal(region: Region, key: str, optional: tuple[str, ...] = ()) -> str | None:
    """Why `region` is no 1-based ordinal `key` with further optional ordinals; None if it is one."""
    unknown = sorted(set(region) - {key, *optional})
    if key not in region or unknown:
        return f"the region must be {{{key}}}" + (f", not with {', '.join(unknown)}" if unknown else "")
    for name in (key, *optional):
        value = region.get(name, 1)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            return f"{name} is {value!r}; it is a 1-based ordinal"
    return None


def number(value: object) -> bool:
    """Whether a region's value is a number (and no truth value, which Python counts as one)."""
    return isinstance(value, int | float) and not isinstance(value, bool)
