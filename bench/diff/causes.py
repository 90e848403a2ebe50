"""Why a number changed: its change split by cause. docs/comparing.md says the same for readers.

A state is its queries Q, its labels L (gold, scope, times, and the corpus entries they speak of), its run S and its
recorded score. M(Q, L, S) is the mean over the queries of Q that the measure applies to under L, by the scorer as it
is now; frozen per-query scores stand in where that scorer made them. Qs are the queries that both states score, S' a
run without its hits on entries that one corpus lacks:

    scorer           M(Q0,L0,S0) - recorded old    +    recorded new - M(Q1,L1,S1)
    queries removed  M(Qs,L0,S0) - M(Q0,L0,S0)
    corpus removed   M(Qs,L0,S0') - M(Qs,L0,S0)
    system           M(Qs,L0,S1') - M(Qs,L0,S0')
    labels           M(Qs,L1,S0') - M(Qs,L0,S0')
    interaction      M(Qs,L1,S1') - M(Qs,L0,S1') - M(Qs,L1,S0') + M(Qs,L0,S0')
    corpus added     M(Qs,L1,S1) - M(Qs,L1,S1')
    queries added    M(Q1,L1,S1) - M(Qs,L1,S1)

They telescope to recorded new - recorded old, in exact fractions. A query without a line takes the worst value, as in
scoring. A query whose wording, scope or as_of changed is another task, so no ranking of the one side answers the
other side's: it keeps its own side's ranking under either side's labels, and its change counts as one of labels.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from bench.diff.corners import Corner, Corners, Scores, Single
from bench.diff.labels import ANSWER_FIELDS
from bench.diff.model import Part, Rescored
from bench.records import Annotation

CAUSES = (
    "system",
    "labels",
    "interaction",
    "queries removed",
    "queries added",
    "corpus removed",
    "corpus added",
    "scorer",
)
# scores.json rounds numerators to nine decimals.
_ROUNDING = Fraction(1, 10**9)


class Scope(NamedTuple):
    """Which queries a row is over: a modality, a dataset, or `all`; and a split."""

    place: str
    split: str

    def holds(self, query: Annotation) -> bool:
        """Whether it is over this query."""
        return query.split == self.split and self.place in ("all", query.modality, query.origin.dataset)


class Recorded(NamedTuple):
    """A row's records of scores.json, and each side's recorded scores by query where they are at hand."""

    old: Mapping[str, Any]
    new: Mapping[str, Any]
    old_scores: Mapping[str, Scores] = {}
    new_scores: Mapping[str, Scores] = {}


class Entries(NamedTuple):
    """How many entries left and entered a row's part of the corpus."""

    removed: int
    added: int


class Causes(NamedTuple):
    """A row's parts in the order of CAUSES, and the number of queries that both states score."""

    parts: list[Part]
    shared: int


class _Group:
    """The queries of one row, with M of the formulas above as exact fractions."""

    def __init__(self, corners: Corners, scope: Scope, measure: str) -> None:
        self.measure = measure
        self.old = [corner for corner in corners.shared if scope.holds(corner.pair.old) and measure in corner.first]
        self.new = [corner for corner in corners.shared if scope.holds(corner.pair.new) and measure in corner.last]
        self.removed = [one for one in corners.removed if scope.holds(one.query) and measure in one.scores]
        self.added = [one for one in corners.added if scope.holds(one.query) and measure in one.scores]
        self.either = list({corner.pair.new.query_id: corner for corner in (*self.old, *self.new)}.values())

    def mean(
        self, corners: Iterable[Corner], which: Callable[[Corner], Scores], alone: Iterable[Single] = ()
    ) -> Fraction:
        """The exact mean over shared queries in one combination, and over queries of one side."""
        counts = Counter(which(corner)[self.measure] for corner in corners)
        counts.update(one.scores[self.measure] for one in alone)
        return sum((Fraction(value) * count for value, count in counts.items()), Fraction(0)) / counts.total()


def narrowed(corners: Corners, scope: Scope) -> Corners:
    """What of `corners` a scope is over, on either side."""
    return Corners(
        [corner for corner in corners.shared if scope.holds(corner.pair.old) or scope.holds(corner.pair.new)],
        [one for one in corners.removed if scope.holds(one.query)],
        [one for one in corners.added if scope.holds(one.query)],
    )


def split_change(corners: Corners, scope: Scope, measure: str, recorded: Recorded, entries: Entries) -> Causes | None:
    """Why a row changed; None where no query of both states has the measure in both, so that nothing can be split."""
    group = _Group(corners, scope, measure)
    if not group.old or not group.new:
        return None
    old, new = (Fraction(str(side["numerator"])) / side["denominator"] for side in (recorded.old, recorded.new))
    changes = _changes(group, old, recorded.old["denominator"], new, recorded.new["denominator"])
    # The largest part carries the rounding of scores.json, so that the parts sum to the recorded change.
    largest = max(CAUSES, key=lambda cause: abs(changes[cause]))
    changes[largest] += new - old - sum(changes.values())
    counts = _counts(group, recorded, entries)
    return Causes([Part(cause, float(changes[cause]), *counts[cause]) for cause in CAUSES], len(group.either))


def _changes(group: _Group, old: Fraction, old_of: int, new: Fraction, new_of: int) -> dict[str, Fraction]:
    first = group.mean(group.old, lambda corner: corner.first)
    old_old = group.mean(group.old, lambda corner: corner.old_old)
    old_new = group.mean(group.old, lambda corner: corner.old_new)
    new_old = group.mean(group.new, lambda corner: corner.new_old)
    new_new = group.mean(group.new, lambda corner: corner.new_new)
    last = group.mean(group.new, lambda corner: corner.last)
    whole_old = group.mean(group.old, lambda corner: corner.first, group.removed)
    whole_new = group.mean(group.new, lambda corner: corner.last, group.added)
    return {
        "system": old_new - old_old,
        "labels": new_old - old_old,
        "interaction": new_new - old_new - new_old + old_old,
        "queries removed": first - whole_old,
        "queries added": whole_new - last,
        "corpus removed": old_old - first,
        "corpus added": last - new_new,
        "scorer": _beyond_rounding(whole_old - old, old_of) + _beyond_rounding(new - whole_new, new_of),
    }


def _beyond_rounding(difference: Fraction, denominator: int) -> Fraction:
    return Fraction(0) if abs(difference) * denominator <= _ROUNDING else difference


def _counts(group: _Group, recorded: Recorded, entries: Entries) -> dict[str, tuple[int, str]]:
    relabelled = [corner for corner in group.either if not corner.same_labels]
    reranked = [corner for corner in group.either if not corner.same_ranking]
    both = sum(not corner.same_ranking for corner in relabelled)
    answers = sum(
        corner.same_labels and bool(fields := corner.pair.fields.keys()) and fields <= ANSWER_FIELDS
        for corner in group.either
    )
    more = f"; {answers} more in the answer alone, which no retrieval measure reads" if answers else ""
    return {
        "system": (len(reranked), "queries with another ranking"),
        "labels": (len(relabelled), f"queries with changed labels{more}"),
        "interaction": (both, "queries with both"),
        "queries removed": (len(group.removed), "queries removed"),
        "queries added": (len(group.added), "queries added"),
        "corpus removed": (entries.removed, "sources removed"),
        "corpus added": (entries.added, "sources added"),
        "scorer": (_rescored(group, recorded), "queries that the scorer of now scores otherwise than recorded"),
    }


def _rescored(group: _Group, recorded: Recorded) -> int:
    old = {corner.pair.old.query_id: corner.first for corner in group.old}
    old |= {one.query.query_id: one.scores for one in group.removed}
    new = {corner.pair.new.query_id: corner.last for corner in group.new}
    new |= {one.query.query_id: one.scores for one in group.added}
    return sum(
        before.get(key, {}).get(group.measure, scores[group.measure]) != scores[group.measure]
        for before, now in ((recorded.old_scores, old), (recorded.new_scores, new))
        for key, scores in now.items()
    )


def rescore(system: str, corners: Corners, scope: Scope, measure: str) -> Rescored | None:
    """What either side's frozen run scores under either side's labels on shared queries; None where there are none."""
    group = _Group(corners, scope, measure)
    if not group.old or not group.new:
        return None
    return Rescored(
        system,
        scope.place,
        scope.split,
        measure,
        len(group.either),
        old_run_old_labels=float(group.mean(group.old, lambda corner: corner.old_old)),
        old_run_new_labels=float(group.mean(group.new, lambda corner: corner.new_old)),
        new_run_old_labels=float(group.mean(group.old, lambda corner: corner.old_new)),
        new_run_new_labels=float(group.mean(group.new, lambda corner: corner.new_new)),
    )


def sentence(measure: str, change: float, parts: Iterable[Part]) -> str:
    """`recall@10 rose by 1.8 points: 0.6 from the system, 1.2 from 230 changed labels.` Points are hundredths.

    No number that is not 0 prints as 0. Signs stand where a part goes against the change.
    """
    shown = [part for part in parts if part.change]
    moved = f"{measure} did not change"
    values = [change, *(part.change for part in shown)]
    if change:
        moved = f"{measure} {'rose' if change > 0 else 'fell'} by {points(abs(change), values)}"
        moved += " point" if points(abs(change), values) == "1.0" else " points"
    if not shown:
        return f"{moved}."
    one_way = all((part.change > 0) == (change > 0) for part in shown) and change != 0
    causes = ", ".join(
        f"{points(abs(part.change) if one_way else part.change, values, signed=not one_way)} from {_named(part)}"
        for part in shown
    )
    return f"{moved}: {causes}."


def points(change: float, together: Iterable[float], signed: bool = False) -> str:
    """`change` in points, with as many decimals, one at least, as every number shown `together` needs not to be 0."""
    decimals = 1
    while decimals < 15 and any(value and not round(value * 100, decimals) for value in together):
        decimals += 1
    return f"{change * 100:{'+' if signed else ''}.{decimals}f}"


def _named(part: Part) -> str:
    counted = {
        "labels": "changed label",
        "queries removed": "removed query",
        "queries added": "added query",
        "corpus removed": "removed source",
        "corpus added": "added source",
    }
    if part.cause not in counted:
        named = {"system": "the system", "interaction": "system and labels together", "scorer": "the scorer's code"}
        return named[part.cause]
    noun = counted[part.cause]
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{part.n:,} {noun if part.n == 1 else plural}"
