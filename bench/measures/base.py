"""What a measure is, and what it is computed from."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bench.records import Annotation


class Judged(NamedTuple):
    """One query's hits in rank order, held against its gold (see `bench.score.judge`).

    gains     the grade of the best gold region that each hit is the first to find; 0 where it finds none
    found     how many gold regions each hit is the first to find
    grades    the grade of every gold region of the query: 1 unless upstream grades it
    strong    whether the system would answer from the hit
    late      whether the hit's source was observed after the query's as_of
    foreign   whether the hit's source belongs to another holder than the query's
    oversized how many hits found nothing because they cover too much, or lack a region
    """

    gains: Sequence[float]
    found: Sequence[int]
    grades: Sequence[float]
    strong: Sequence[bool]
    late: Sequence[bool]
    foreign: Sequence[bool]
    oversized: int


class Measure(NamedTuple):
    """A number a query. `applies` says over which queries; `worst` is the value where the run has no line."""

    key: str
    applies: Callable[[Annotation], bool]
    value: Callable[[Judged], float]
    worst: float = 0.0


CUTOFFS = (1, 3, 5, 10)
FIRST = 10


def answerable(query: Annotation) -> bool:
    """Over which queries finding is measured."""
    return not query.unanswerable


def at_cutoffs(name: str, value: Callable[[Judged, int], float]) -> list[Measure]:
    """`name@k` over answerable queries, for each cutoff."""
    return [
        Measure(f"{name}@{k}", answerable, lambda judged, k=k: value(judged, k))  # type: ignore[misc]
        for k in CUTOFFS
    ]
