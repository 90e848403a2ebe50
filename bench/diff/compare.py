"""The comparison of two states of one suite, from their metrics and, where it is at hand, their data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bench.diff.causes import Entries, Recorded, Scope, narrowed, rescore, sentence, split_change
from bench.diff.corners import Both, Corners, both_labels, corners
from bench.diff.flips import MOST_FLIPS, headline_flips
from bench.diff.gates import Rule, gates
from bench.diff.headline import headline
from bench.diff.labels import exclusion_note, label_changes, share
from bench.diff.model import Comparison, Flip, LabelChange, Rescored, Row, Split
from bench.diff.rows import Tested, by_new_id, by_system, plain_rows, tested
from bench.diff.sides import Side
from bench.diff.states import NotAtHand
from bench.diff.words import HEADLINES
from bench.errors import CannotCompare
from bench.hashing import code_digest
from bench.records import MODALITIES
from bench.score.provenance import SCORER

PLACES = ("all", *MODALITIES)


class Options(NamedTuple):
    """`measure` is the headline. `every`: rows by source too, and tests and causes of all measures, not of the main."""

    measure: str = "recall@10"
    every: bool = False
    rescore: bool = False
    rules: Sequence[Rule] = ()

    def wants(self, row: Row) -> bool:
        """Whether a row is tested and split by cause."""
        return self.every or (row.modality in PLACES and row.measure in (*HEADLINES, self.measure))


class _Found(NamedTuple):
    """What the systems add to the rows; `notes` in the order in which they were met."""

    rows: dict[tuple[str, ...], Row]
    splits: list[Split]
    rescored: list[Rescored]
    flips: list[Flip]
    notes: list[str]


def compare(old: Side, new: Side, options: Options) -> Comparison:
    """Compare a suite's two states.

    CannotCompare where metrics are missing or broken, or the headline is scored on neither side. Data that is not at
    hand becomes a note: rows are then compared without tests, flips and causes.
    """
    rows = _rows(old, new, options)
    found = _Found({_key(row): row for row in rows}, [], [], [], list(_absent(old, new)))
    both, labels = None, []
    if old.exists and new.exists:
        try:
            both = both_labels(old, new, share(old.queries, new.queries))
            labels = _labels(old, new, both, found.notes)
        except NotAtHand as error:
            found.notes.append(f"Causes and label changes are not available: {error}.")
        for system, of_system in by_system(rows):
            if any(row.change is not None for row in of_system) and not _is_untouched(old, new, system, of_system):
                _look_into(old, new, system, of_system, both, options, found)
    rows = list(found.rows.values())
    made = gates(options.rules, rows, new.scores, new.params.get("score") or {}, list(new.scores))
    return Comparison(
        suite=old.suite,
        old=old.state.commit,
        new=new.state.commit,
        old_name=old.state.name,
        new_name=new.state.name,
        headline=headline(options.measure, rows, found.splits),
        rows=[row for row in rows if options.every or row.modality in PLACES],
        splits=found.splits,
        labels=labels,
        corpus=_corpus(old, new, both),
        flips=found.flips,
        gates=made,
        latency=_latency(old, new),
        notes=list(dict.fromkeys(found.notes)),
        rescored=found.rescored,
    )


def _rows(old: Side, new: Side, options: Options) -> list[Row]:
    if not old.exists and not new.exists:
        raise CannotCompare(f"neither {old} nor {new} has the suite {old.suite}: name another with --suite")
    rows = plain_rows(old.scores, new.scores, (str(old), str(new)))
    if not any(row.measure == options.measure for row in rows):
        known = ", ".join(dict.fromkeys(row.measure for row in rows))
        raise CannotCompare(f"{options.measure!r} is scored on neither side of {old.suite}; scored are: {known}")
    return rows


def _key(row: Row) -> tuple[str, ...]:
    return row.system, row.modality, row.split, row.measure


def _absent(old: Side, new: Side) -> Iterator[str]:
    if not old.exists:
        yield f"{old} has no suite {old.suite}: all of it is new."
    if not new.exists:
        yield f"{new} has no suite {new.suite}: all of it is removed."


def _labels(old: Side, new: Side, both: Both, notes: list[str]) -> list[LabelChange]:
    left_out = old.left_out, new.left_out
    if note := exclusion_note(left_out):
        notes.append(note)
    return label_changes(both.shared, old.queries, new.queries, left_out)


def _is_untouched(old: Side, new: Side, system: str, rows: Sequence[Row]) -> bool:
    """Whether no record changed and no query's scores did: records may agree because changes cancel out."""
    if any(row.status == "changed" for row in rows):
        return False
    try:
        return old.per_query(system) == new.per_query(system)
    except NotAtHand:
        return True


def _look_into(
    old: Side, new: Side, system: str, rows: Sequence[Row], both: Both | None, options: Options, found: _Found
) -> None:
    """Add tests, flips and causes of one system's changed rows; what cannot be had becomes a note."""
    shared = both.shared if both else []
    scores = Tested({}, {})
    # Also rows that are the same: causes may cancel each other out.
    wanted = [row for row in rows if row.change is not None and options.wants(row)]
    try:
        scores = Tested(by_new_id(old.per_query(system), shared), new.per_query(system))
    except NotAtHand as error:
        found.notes.append(f"Paired tests and flips of {system} are not available: {error}.")
    else:
        found.rows.update({_key(row): tested(row, scores) for row in wanted})
    if both is None:
        return
    try:
        of_system = corners(old, new, both, system)
        _add_causes(of_system, [found.rows[_key(row)] for row in wanted], both, scores, options, found)
        if scores.new:
            flips = headline_flips(old, new, system, options.measure, shared, scores)
            found.flips.extend(flips)
            if len(flips) == MOST_FLIPS:
                found.notes.append(f"Flips of {system}: the {MOST_FLIPS} largest; all ids are with the rows.")
    except NotAtHand as error:
        found.notes.append(f"Causes of {system}'s changes are not available: {error}.")
    else:
        found.notes.extend(_unreproduced(old, new, system, found.splits))


def _add_causes(
    of_system: Corners, rows: Sequence[Row], both: Both, scores: Tested, options: Options, found: _Found
) -> None:
    recorded_scores = [{key: line.scores for key, line in side.items()} for side in scores]
    scopes: dict[Scope, Corners] = {}
    for row in rows:
        if row.old is None or row.new is None or row.status == "not_comparable":
            continue
        scope = Scope(row.modality, row.split)
        within = scopes.get(scope) or scopes.setdefault(scope, narrowed(of_system, scope))
        recorded = Recorded(row.old, row.new, *recorded_scores)
        causes = split_change(within, scope, row.measure, recorded, _entries(both, row.modality))
        where = f"{row.system}, {row.modality}, {row.split}: {row.measure}"
        if causes is None and row.status == "changed":
            found.notes.append(f"{where} cannot be split by cause: the two states share no query that it is over.")
        if causes is None:
            continue
        if row.status == "same" and not any(part.change for part in causes.parts):
            continue
        change = row.new["value"] - row.old["value"]
        said = sentence(row.measure, change, causes.parts)
        found.splits.append(
            Split(row.system, row.modality, row.split, row.measure, change, causes.shared, causes.parts, said)
        )
        if options.rescore and (again := rescore(row.system, within, scope, row.measure)):
            found.rescored.append(again)


def _unreproduced(old: Side, new: Side, system: str, splits: Sequence[Split]) -> Iterator[str]:
    """Where scores recorded by today's scorer are not what the data gives, the two do not belong together."""
    digests = {str((side.provenance.get("scorer") or {}).get("sha256")) for side in (old, new)}
    moved = any(
        part.change for split in splits if split.system == system for part in split.parts if part.cause == "scorer"
    )
    if moved and digests == {code_digest(SCORER)}:
        yield (
            f"The scorer's code is the same on both sides and now, yet it does not give the recorded scores of "
            f"{system}: metrics and data do not belong together; run `bench doctor`."
        )


def _entries(both: Both, place: str) -> Entries:
    removed, added = (
        sum(place in ("all", head.modality, head.dataset) for key in side.lost if (head := side.corpus[key]))
        for side in (both.old, both.new)
    )
    return Entries(removed, added)


def _corpus(old: Side, new: Side, both: Both | None) -> dict[str, int]:
    """Entries on either side, and how many were added, removed, or changed in all but their text, where known."""
    counts = {
        name: side.dataset["all"]["sources"] for name, side in (("old", old), ("new", new)) if "all" in side.dataset
    }
    if both:
        counts |= {
            "added": len(both.new.lost),
            "removed": len(both.old.lost),
            "changed": len(both.changed_entries),
        }
    return counts


def _latency(old: Side, new: Side) -> dict[str, Any]:
    """{system: {old, new}} where either side has measured it: of the workspace alone, unless committed."""
    found: dict[str, Mapping[str, Any]] = {}
    for system in dict.fromkeys([*old.scores, *new.scores]):
        sides = {name: side.latency(system) for name, side in (("old", old), ("new", new))}
        if measured := {name: document for name, document in sides.items() if document is not None}:
            found[system] = measured
    return found
