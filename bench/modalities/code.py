"""code: `{path, symbol}` or `{path, line}` (1-based). Extent `{symbols: [{path, symbol, line_start, line_end}]}`.

Found by a hit on the same path and symbol, or on a line inside it. A name that several symbols of a path share
(overloads) names none of them: gold and hits then use a line.
"""

from collections.abc import Sequence
from typing import Any

from bench.modalities import Extent
from bench.records import Region

Symbol = dict[str, Any]


def misshapen(region: Region) -> str | None:
    """See bench.modalities."""
    if set(region) not in ({"path", "symbol"}, {"path", "line"}):
        return f"the region must be {{path, symbol}} or {{path, line}}, not {{{', '.join(sorted(region))}}}"
    if "line" in region and (not isinstance(region["line"], int) or isinstance(region["line"], bool)):
        return f"line is {region['line']!r}; it is a 1-based number"
    return None


def outside(region: Region, extent: Extent) -> str | None:
    """See bench.modalities."""
    found = _symbols(region, extent)
    if not found:
        return f"{region} is no symbol of the source"
    if "symbol" in region and len(found) > 1:
        return f"{region} names {len(found)} symbols of the source: use a line"
    return None


def too_large(regions: Sequence[Region], gold: Sequence[Region], extent: Extent) -> bool:
    """Whether the hit covers more than one symbol; a line counts as the innermost symbol around it."""
    touched: list[Symbol] = []
    for region in regions:
        symbols = _symbols(region, extent)
        if "line" in region:
            symbols = sorted(symbols, key=lambda symbol: symbol["line_start"])[-1:]
        touched += [symbol for symbol in symbols if symbol not in touched]
    return len(touched) > 1


class Finder:
    """Finds a symbol."""

    def __init__(self, gold: Region, extent: Extent) -> None:
        symbols = sorted(_symbols(gold, extent), key=lambda symbol: symbol["line_start"])
        self._symbol = symbols[-1]

    def add(self, regions: Sequence[Region]) -> bool:
        """Whether one region names the gold's symbol, or a line inside it."""
        return any(_on(region, self._symbol) for region in regions)


def _on(region: Region, symbol: Symbol) -> bool:
    if region["path"] != symbol["path"]:
        return False
    if "symbol" in region:
        return bool(region["symbol"] == symbol["symbol"])
    return bool(symbol["line_start"] <= region["line"] <= symbol["line_end"])


def _symbols(region: Region, extent: Extent) -> list[Symbol]:
    return [symbol for symbol in extent["symbols"] if _on(region, symbol)]
