"""Whether a source tells systems apart: where keyword search equals chance, or is perfect, a score says nothing."""

from collections.abc import Iterator, Mapping
from typing import Any

KEYWORD, CHANCE = "bm25", "random"
MEASURE = "nDCG@10"


def indiscriminate(documents: Mapping[str, Mapping[str, Any]], margin: float) -> Iterator[str]:
    """A sentence for each source on which the two reference systems differ by less than `margin`, or reach 0 or 1."""
    if KEYWORD not in documents or CHANCE not in documents:
        return
    floor = documents[CHANCE].get("by_source", {})
    for source, splits in sorted(documents[KEYWORD].get("by_source", {}).items()):
        for split, records in sorted(splits.items()):
            chance = floor.get(source, {}).get(split, {}).get(MEASURE)
            if MEASURE not in records or not chance:
                continue
            value = records[MEASURE]["value"]
            where = f"{source} ({split}, {records[MEASURE]['denominator']} queries)"
            if value in (0, 1):
                yield f"{where}: {KEYWORD} has {MEASURE} {value:.3f}, so better and worse systems cannot be told apart"
            elif value - chance["value"] < margin:
                yield (
                    f"{where}: {KEYWORD} has {MEASURE} {value:.3f} and {CHANCE} {chance['value']:.3f}, "
                    f"less than {margin} apart"
                )
