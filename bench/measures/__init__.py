"""One measure a file; `MEASURES` lists them all. To add one: write its file, and name it here.

A measure is computed per query and averaged over the annotated queries that it applies to, whatever the system
returned: a query without a line in the run counts with the worst value.
"""

from collections.abc import Sequence
from math import fsum
from typing import Any

from bench.measures import (
    average_precision,
    false_recall,
    holder_correctness,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
    temporal_correctness,
)
from bench.measures.base import Judged, Measure

__all__ = ["MEASURES", "Judged", "Measure", "record"]

MEASURES: list[Measure] = [
    *recall.MEASURES,
    *ndcg.MEASURES,
    *precision.MEASURES,
    *average_precision.MEASURES,
    *reciprocal_rank.MEASURES,
    *false_recall.MEASURES,
    *temporal_correctness.MEASURES,
    *holder_correctness.MEASURES,
]

_DECIMALS = 9


def record(values: Sequence[float], answered: int) -> dict[str, Any] | None:
    """The record of a measure: `{value, numerator, denominator, n, of}`; None over no values, which is no 0.

    `values` has one value for every annotated query of the class, `answered` says how many of them have a line in the
    run. The numerator is rounded to nine decimals, and the value is computed from it, so that `of` ("275.0/451,
    n=440") changes whenever the value does.
    """
    if not values:
        return None
    numerator = round(fsum(values), _DECIMALS)
    return {
        "value": numerator / len(values),
        "numerator": numerator,
        "denominator": len(values),
        "n": answered,
        "of": f"{numerator}/{len(values)}, n={answered}",
    }
