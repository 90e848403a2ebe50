"""false_recall: the share of unanswerable queries with a strong hit in the first 10. Lower is better.

A system that always abstains has false_recall 0 and recall 0: read them together. Also by class: `native`
(unanswerable upstream), `other_holder` and `before_observation` (derived twins).
"""

from collections.abc import Callable

from bench.measures.base import FIRST, Judged, Measure
from bench.records import Annotation

CLASSES = ("native", "other_holder", "before_observation")


def false_recall(judged: Judged) -> float:
    """1 where the system would answer from one of the first ten hits, else 0."""
    return float(any(judged.strong[:FIRST]))


def _of_class(name: str) -> Callable[[Annotation], bool]:
    return lambda query: query.unanswerable_class == name


MEASURES = [
    Measure("false_recall", lambda query: query.unanswerable, false_recall, worst=1.0),
    *(Measure(f"false_recall_{name}", _of_class(name), false_recall, worst=1.0) for name in CLASSES),
]
