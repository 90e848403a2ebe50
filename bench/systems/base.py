"""What a reference system is, and how a ranking is cut."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bench.records import Annotation
from bench.systems.units import Units

Ranking = list[tuple[int, float]]


class System(Protocol):
    """Answers the queries of one modality. `reads` is `text`, or `any` where it needs none."""

    reads: str

    def __init__(self, units: Units, settings: dict[str, Any], depth: int) -> None: ...

    def answer(self, query: Annotation) -> Ranking:
        """At most `depth` (unit, score), best first; none is an abstention."""
        ...


def best(
    candidates: npt.NDArray[np.intp], scores: Sequence[float] | npt.NDArray[Any], units: Units, depth: int
) -> Ranking:
    """The `depth` best candidates by score, then by docid, both descending: ties at the cut are settled, not lost."""
    values = np.asarray(scores)
    if len(values) > depth:
        kept = values >= np.partition(values, -depth)[-depth]
        candidates, values = candidates[kept], values[kept]
    pairs = zip(candidates.tolist(), values.tolist(), strict=True)
    return sorted(pairs, key=lambda pair: (pair[1], units.places[pair[0]].docid), reverse=True)[:depth]
