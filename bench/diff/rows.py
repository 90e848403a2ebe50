"""The rows of a comparison: every measure of every system, place and split that either state recorded."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from bench.diff import paired
from bench.diff.labels import Shared
from bench.diff.model import Row
from bench.diff.sides import NOT_PLACES, PerQuery
from bench.measures import MEASURES
from bench.records import MODALITIES
from bench.score.acceptance import LESS_IS_BETTER

Document = Mapping[str, Any]
_MEASURES = [measure.key for measure in MEASURES]


class Cell(NamedTuple):
    """Where a record stands. `place` is `all`, a modality, or a dataset."""

    system: str
    place: str
    split: str
    measure: str


def plain_rows(old: Mapping[str, Document], new: Mapping[str, Document], names: tuple[str, str]) -> list[Row]:
    """A row for every record of {system: scores.json} of either state, untested. `names` are those of the states."""
    before, after = _records(old), _records(new)
    return [_row(cell, before.get(cell), after.get(cell), names) for cell in sorted({**before, **after}, key=_order)]


def _records(documents: Mapping[str, Document]) -> dict[Cell, dict[str, Any]]:
    return {
        Cell(system, place, split, measure): record
        for system, document in documents.items()
        for place, splits in (*document.items(), *document.get("by_source", {}).items())
        if place not in NOT_PLACES
        for split, records in splits.items()
        for measure, record in records.items()
    }


def _order(cell: Cell) -> tuple[Any, ...]:
    places = ("all", *MODALITIES)
    place = places.index(cell.place) if cell.place in places else len(places)
    measure = _MEASURES.index(cell.measure) if cell.measure in _MEASURES else len(_MEASURES)
    return cell.system, cell.split, place, cell.place, measure, cell.measure


def _row(cell: Cell, old: dict[str, Any] | None, new: dict[str, Any] | None, names: tuple[str, str]) -> Row:
    change, better, why = None, None, ""
    if old is None:
        status, why = "new", f"not measured in {names[0]}"
    elif new is None:
        status, why = "removed", f"not measured in {names[1]}"
    else:
        status = "same" if old == new else "changed"
        change = new["value"] - old["value"]
        better = (change < 0) == cell.measure.startswith(LESS_IS_BETTER) if change else None
    return Row(*cell, status, old, new, change, better, interval=None, flips=None, why=why)


class Tested(NamedTuple):
    """The per-query scores of one system on both sides. Those of a reworded query stand under its new id."""

    old: Mapping[str, PerQuery]
    new: Mapping[str, PerQuery]

    def scores(self, row: Row) -> tuple[dict[str, float], dict[str, float]]:
        """{query_id: score} of a row's measure, on either side."""
        old, new = (
            {
                key: line.scores[row.measure]
                for key, line in side.items()
                if row.measure in line.scores
                and line.split == row.split
                and row.modality in ("all", line.modality, line.dataset)
            }
            for side in self
        )
        return old, new


def by_new_id(lines: Mapping[str, PerQuery], shared: Sequence[Shared]) -> dict[str, PerQuery]:
    """The lines of the old side, those of reworded queries under their new id."""
    renamed = {pair.old.query_id: pair.new.query_id for pair in shared if pair.old.query_id != pair.new.query_id}
    return {renamed.get(key, key): line for key, line in lines.items()}


def tested(row: Row, per_query: Tested) -> Row:
    """A row with its paired test and flips; not_comparable where the states share no query of it.

    Where no record and no query changed there is nothing to test.
    """
    old, new = per_query.scores(row)
    ids, differences = paired.differences(old, new)
    if not ids:
        why = f"no query is scored on both sides: {len(old)} before, {len(new)} now, none shared"
        return msgspec.structs.replace(row, status="not_comparable", change=None, better=None, why=why)
    if row.status == "same" and not differences.any():
        return row
    return msgspec.structs.replace(
        row,
        interval=paired.interval(differences),
        flips=paired.flips(ids, differences, row.measure.startswith(LESS_IS_BETTER)),
    )


def by_system(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """(system, its rows), in order."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.system].append(row)
    yield from groups.items()
