"""Which labels changed between two states: queries that entered, left, were reworded or relabelled, and rows left out.

Compared are records, not lines, so order of lines, of keys and of gold is no change (format-only). A query that left
and one that entered are one `reworded` query where they stand for the same upstream row (dataset, item and kind of
twin) and share gold or wording, or where gold, holder and wording agree although the row moved.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

import msgspec

from bench.diff.model import LabelChange
from bench.diff.sides import LeftOut
from bench.jsonl import encode
from bench.records import Annotation

# Wording counts as similar from this ratio of difflib: for a row in its place, and for one that moved.
SIMILAR_IN_PLACE, SIMILAR_MOVED = 0.6, 0.7
FIELDS = ("question", "answer", "answer_format", "gold", "unanswerable", "scope", "as_of", "split")
# No measure of retrieval reads these.
ANSWER_FIELDS = frozenset({"answer", "answer_format"})
# What a system is given: where it differs, the two rankings answer different tasks.
ASKED_FIELDS = frozenset({"question", "scope", "as_of"})
ANSWER_ONLY = "the answer alone: no retrieval measure reads it, so its effect on them is 0"

LeftOutRows = Mapping[tuple[str, str], LeftOut]


class Shared(NamedTuple):
    """A query of both states. The ids differ where it was reworded."""

    old: Annotation
    new: Annotation

    @property
    def fields(self) -> dict[str, list[Any]]:
        """Each changed field with its old and new value."""
        if self.old == self.new:
            return {}
        before, after = _plain(self.old), _plain(self.new)
        return {name: [before[name], after[name]] for name in FIELDS if before[name] != after[name]}


def share(old: Mapping[str, Annotation], new: Mapping[str, Annotation]) -> list[Shared]:
    """The queries of both states, reworded ones included, by the new id. A query of another modality is another."""
    same = [key for key in old.keys() & new.keys() if old[key].modality == new[key].modality]
    shared = [Shared(old[key], new[key]) for key in same]
    left = [old[key] for key in sorted(old.keys() - set(same))]
    entered = [new[key] for key in sorted(new.keys() - set(same))]
    return sorted([*shared, *_reworded(left, entered)], key=lambda pair: pair.new.query_id)


def _reworded(left: Sequence[Annotation], entered: Sequence[Annotation]) -> Iterator[Shared]:
    waiting = {query.query_id: query for query in entered}
    for key, alike in ((_row, SIMILAR_IN_PLACE), (_evidence, SIMILAR_MOVED)):
        places: dict[Any, list[Annotation]] = defaultdict(list)
        for query in waiting.values():
            places[key(query)].append(query)
        remaining = []
        for query in left:
            candidates = [other for other in places[key(query)] if other.query_id in waiting]
            best = max(candidates, key=lambda other: _likeness(query, other), default=None)
            kept_gold = best is not None and key is _row and query.gold and _gold(query) == _gold(best)
            if best is not None and (kept_gold or _likeness(query, best) >= alike):
                del waiting[best.query_id]
                yield Shared(query, best)
            else:
                remaining.append(query)
        left = remaining


def _kind(query: Annotation) -> str:
    return "" if query.twin_of is msgspec.UNSET else query.twin_of.kind


def _row(query: Annotation) -> tuple[str, ...]:
    return query.modality, query.origin.dataset, query.origin.item, _kind(query)


def _evidence(query: Annotation) -> tuple[Any, ...]:
    return query.modality, query.origin.dataset, query.scope.holder, query.scope.session, _kind(query), _gold(query)


def _gold(query: Annotation) -> tuple[bytes, ...]:
    return tuple(sorted(encode(gold) for gold in query.gold))


def _likeness(one: Annotation, other: Annotation) -> float:
    return SequenceMatcher(None, one.question.casefold(), other.question.casefold(), autojunk=False).ratio()


def _plain(query: Annotation) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(query)
    return fields | {"gold": sorted(fields["gold"], key=encode)}


def label_changes(
    shared: Iterable[Shared],
    old: Mapping[str, Annotation],
    new: Mapping[str, Annotation],
    left_out: tuple[LeftOutRows, LeftOutRows],
) -> list[LabelChange]:
    """Every change of a label: reworded, relabelled, removed, added, then rows that both states leave out (`excluded`).

    `left_out` is what the old and the new state leave out, by (dataset, item).
    """
    before, after = left_out
    pairs = list(shared)
    changes = [_changed(pair, fields) for pair in pairs if (fields := pair.fields)]
    gone = old.keys() - {pair.old.query_id for pair in pairs}
    come = new.keys() - {pair.new.query_id for pair in pairs}
    changes += [_single("removed", old[key], after, "now") for key in gone]
    changes += [_single("added", new[key], before, "before") for key in come]
    changes += [_excluded(place, before[place], after[place]) for place in before.keys() & after.keys()
                if before[place] != after[place]]  # fmt: skip
    order = ("reworded", "relabelled", "removed", "added", "excluded")
    return sorted(changes, key=lambda change: (order.index(change.kind), change.query_id))


def _changed(pair: Shared, fields: dict[str, list[Any]]) -> LabelChange:
    kind = "reworded" if pair.old.query_id != pair.new.query_id else "relabelled"
    why = ANSWER_ONLY if fields.keys() <= ANSWER_FIELDS else ""
    return LabelChange(kind, pair.new.query_id, pair.old.query_id, pair.new.modality, fields, why)


def _single(kind: str, query: Annotation, left_out: LeftOutRows, when: str) -> LabelChange:
    row = left_out.get((query.origin.dataset, query.origin.item))
    why = f"{when} excluded: {row.reason}" if row else ""
    return LabelChange(kind, query.query_id, query.query_id, query.modality, {}, why)


def _excluded(place: tuple[str, str], before: LeftOut, after: LeftOut) -> LabelChange:
    fields = {
        name: [getattr(before, name), getattr(after, name)]
        for name in ("reason", "detail")
        if getattr(before, name) != getattr(after, name)
    }
    name = " ".join(place)
    return LabelChange("excluded", name, name, "", fields, f"excluded on both sides: {after.reason}")


def exclusion_note(left_out: tuple[LeftOutRows, LeftOutRows]) -> str | None:
    """The counts of excluded questions whose number changed, by reason; None where none did."""
    before, after = (Counter(f"{row.dataset} {row.reason}" for row in rows.values()) for rows in left_out)
    changed = [name for name in sorted(before | after) if before[name] != after[name]]
    if not changed:
        return None
    return "Excluded questions by reason: " + "; ".join(f"{name} {before[name]} -> {after[name]}" for name in changed)
