"""random: units drawn by a seed and the query's id among those that the query may see; the floor of every measure."""

from random import Random
from typing import Any

from bench.ids import digest
from bench.records import Annotation
from bench.systems.base import Ranking, best
from bench.systems.units import Units

_DECIMALS = 6


class System:
    """See the module docstring."""

    reads = "any"

    def __init__(self, units: Units, settings: dict[str, Any], depth: int) -> None:
        self._units = units
        self._seed = str(settings["seed"])
        self._depth = depth

    def answer(self, query: Annotation) -> Ranking:
        """See bench.systems.base. Only Random.random is used, whose sequence Python keeps the same."""
        visible = self._units.visible(query)
        draw = Random(digest(self._seed, query.query_id)).random  # noqa: S311 - a floor, not a secret
        chosen = list(range(len(visible)))
        if len(visible) > self._depth:
            drawn: dict[int, None] = {}
            while len(drawn) < self._depth:
                drawn[int(draw() * len(visible))] = None
            chosen = list(drawn)
        return best(visible[chosen], [round(draw(), _DECIMALS) for _ in chosen], self._units, self._depth)
