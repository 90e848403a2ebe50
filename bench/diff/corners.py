"""One system's queries scored under either side's labels with either side's run: what the split by cause is made of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from bench.diff.labels import ASKED_FIELDS, Shared
from bench.diff.sides import Side
from bench.diff.states import NotAtHand
from bench.errors import BenchError, CannotCompare
from bench.hashing import code_digest
from bench.measures import MEASURES
from bench.records import MODALITIES, Annotation, Atom, CorpusHead, Hit, RunLine
from bench.score.judge import judge
from bench.score.provenance import SCORER

Scores = Mapping[str, float]
_LINE = msgspec.json.Decoder(RunLine)


class Corner(NamedTuple):
    """A shared query under the four combinations, and with each side's hits on entries that only its corpus has.

    `old_new` is old labels with the new run. `first` is old labels with the whole old run, `last` new with new.
    """

    pair: Shared
    first: Scores
    old_old: Scores
    old_new: Scores
    new_old: Scores
    new_new: Scores
    last: Scores
    same_labels: bool
    same_ranking: bool


class Single(NamedTuple):
    """A query that only one state scores, and its scores there."""

    query: Annotation
    scores: Scores


class Corners(NamedTuple):
    """All of one system."""

    shared: list[Corner]
    removed: list[Single]
    added: list[Single]


class Labels(NamedTuple):
    """The labels of one side: its queries, its corpus, and the entries that the other side lacks."""

    queries: Mapping[str, Annotation]
    corpus: Mapping[str, CorpusHead]
    lost: frozenset[str]


class Both(NamedTuple):
    """The labels of both sides, the queries that they share, and the entries that differ between their corpora."""

    old: Labels
    new: Labels
    shared: Sequence[Shared]
    changed_entries: frozenset[str]


def both_labels(old: Side, new: Side, shared: Sequence[Shared]) -> Both:
    """Compare the corpora of two sides. An entry of another modality is another entry."""
    before, after = old.corpus, new.corpus
    same = {key for key in before.keys() & after.keys() if before[key].modality == after[key].modality}
    return Both(
        Labels(old.queries, before, frozenset(before.keys() - same)),
        Labels(new.queries, after, frozenset(after.keys() - same)),
        shared,
        frozenset(key for key in same if before[key] != after[key]),
    )


class _Run(NamedTuple):
    """One side's run of a modality, with what is needed to score it."""

    name: str
    labels: Labels
    lines: Mapping[str, bytes]
    atoms: Mapping[str, Atom]
    recorded: Mapping[str, Scores]

    def line(self, query_id: str) -> RunLine | None:
        """The query's line; None where the run has none, which scores worst."""
        data = self.lines.get(query_id)
        return None if data is None else _LINE.decode(data)

    def source(self, hit: Hit) -> str:
        """The entry that a hit is in; empty where it names none that is known."""
        if isinstance(hit.atom_id, str):
            return self.atoms[hit.atom_id].source_id if hit.atom_id in self.atoms else ""
        return hit.source_id if isinstance(hit.source_id, str) else ""


def corners(old: Side, new: Side, both: Both, system: str) -> Corners:
    """Score what a split needs. NotAtHand where data is missing; CannotCompare where a run does not fit its labels."""
    scored = _scores_of(old, system), _scores_of(new, system)
    made = Corners([], [], [])
    atoms = old.atoms(system), new.atoms(system)
    recorded = _recorded(old, system), _recorded(new, system)
    try:
        for modality in MODALITIES:
            before = _Run(f"{system} of {old}", both.old, old.run(system, modality), atoms[0], recorded[0])
            after = _Run(f"{system} of {new}", both.new, new.run(system, modality), atoms[1], recorded[1])
            _add_modality(made, modality, both, before, after, scored)
    except CannotCompare:
        raise
    except BenchError as error:
        raise CannotCompare(f"the run and the labels do not belong together: {error}; see `bench doctor`") from None
    return made


def _add_modality(
    made: Corners, modality: str, both: Both, old: _Run, new: _Run, scored: tuple[frozenset[str], frozenset[str]]
) -> None:
    shared_old, shared_new = set(), set()
    for pair in both.shared:
        if pair.new.modality == modality and pair.old.query_id in scored[0] and pair.new.query_id in scored[1]:
            shared_old.add(pair.old.query_id)
            shared_new.add(pair.new.query_id)
            made.shared.append(_corner(pair, old, new, both.changed_entries))
    made.removed.extend(_alone(old, modality, scored[0] - shared_old))
    made.added.extend(_alone(new, modality, scored[1] - shared_new))


def _scores_of(side: Side, system: str) -> frozenset[str]:
    """The ids of the queries that a state scores of a system: of its splits, and on sources that it can read."""
    unread = side.textless if side.reads_text(system) else set()
    return frozenset(
        key for key, query in side.queries.items()
        if query.split in side.splits and query.origin.dataset not in unread
    )  # fmt: skip


def _recorded(side: Side, system: str) -> dict[str, Scores]:
    """The frozen scores of each query, where today's scorer made them: it would make them again. Else none."""
    if (side.provenance.get("scorer") or {}).get("sha256") != code_digest(SCORER):
        return {}
    try:
        return {key: line.scores for key, line in side.per_query(system).items()}
    except NotAtHand:
        return {}


def _alone(run: _Run, modality: str, ids: Iterable[str]) -> Iterator[Single]:
    for key in sorted(ids):
        query = run.labels.queries[key]
        if query.modality == modality:
            yield Single(query, _own_scores(query, run.line(key), run))


def _corner(pair: Shared, old: _Run, new: _Run, changed_entries: frozenset[str]) -> Corner:
    """Where labels, ranking or corpus agree, combinations share their scores."""
    before, after = old.line(pair.old.query_id), new.line(pair.new.query_id)
    kept_before, kept_after = _without(before, old), _without(after, new)
    touched = {gold.source_id for gold in (*pair.old.gold, *pair.new.gold)}
    touched |= {old.source(hit) for hit in (kept_before.hits if kept_before else ())}
    touched |= {new.source(hit) for hit in (kept_after.hits if kept_after else ())}
    fields = pair.fields.keys()
    same_labels = _judged_alike(pair) and touched.isdisjoint(changed_entries)
    same_task = fields.isdisjoint(ASKED_FIELDS)
    same_ranking = _places(kept_before, old) == _places(kept_after, new)

    first, last = _own_scores(pair.old, before, old), _own_scores(pair.new, after, new)
    old_old = first if kept_before is before else _scores(pair.old, kept_before, old, old.labels)
    new_new = last if kept_after is after else _scores(pair.new, kept_after, new, new.labels)
    if not same_task or same_ranking:
        old_new, new_old = old_old, new_new
    elif same_labels:
        old_new, new_old = new_new, old_old
    else:
        old_new = _scores(pair.old, kept_after, new, old.labels)
        new_old = _scores(pair.new, kept_before, old, new.labels)
    return Corner(pair, first, old_old, old_new, new_old, new_new, last, same_labels, same_ranking or not same_task)


def _judged_alike(pair: Shared) -> bool:
    """Whether the scorer reads the same of both annotations: answers and wording it does not read."""
    old, new = pair
    return old == new or _judged_by(old) == _judged_by(new)


def _judged_by(query: Annotation) -> tuple[object, ...]:
    gold = sorted(msgspec.json.encode(gold) for gold in query.gold)
    return query.scope.holder, query.as_of, query.unanswerable_class, query.split, query.origin.dataset, gold


def _without(line: RunLine | None, run: _Run) -> RunLine | None:
    """The line without hits on entries that the other corpus lacks; the same object where there are none."""
    if line is None or not run.labels.lost:
        return line
    kept = [hit for hit in line.hits if run.source(hit) not in run.labels.lost]
    return line if len(kept) == len(line.hits) else RunLine(line.query_id, kept)


def _places(line: RunLine | None, run: _Run) -> list[tuple[object, ...]] | None:
    if line is None:
        return None
    return [
        (hit.score, hit.strong, run.atoms.get(hit.atom_id))
        if isinstance(hit.atom_id, str)
        else (hit.score, hit.strong, hit.source_id, hit.region)
        for hit in line.hits
    ]


def _own_scores(query: Annotation, line: RunLine | None, run: _Run) -> Scores:
    """The scores of a side's own query, labels and run."""
    return run.recorded.get(query.query_id) or _scores(query, line, run, run.labels)


def _scores(query: Annotation, line: RunLine | None, run: _Run, labels: Labels) -> Scores:
    if line is None:
        return {measure.key: measure.worst for measure in MEASURES if measure.applies(query)}
    judged = judge(query, line, labels.corpus, run.atoms, run.name)
    return {measure.key: measure.value(judged) for measure in MEASURES if measure.applies(query)}
