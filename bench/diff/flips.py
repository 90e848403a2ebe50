"""The queries whose headline score changed, with what a reader needs to see why."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from bench.diff.labels import Shared
from bench.diff.model import Flip
from bench.diff.rows import Tested
from bench.diff.sides import Side
from bench.jsonl import encode
from bench.records import MODALITIES, Annotation, Atom, Region, RunLine

# Shown of each ranking, and of all flips of a system: those that changed most.
TOP_HITS, MOST_FLIPS = 5, 200
_LINE = msgspec.json.Decoder(RunLine)


class _Changed(NamedTuple):
    pair: Shared
    old: float
    new: float


def headline_flips(
    old: Side, new: Side, system: str, measure: str, shared: Sequence[Shared], scores: Tested
) -> list[Flip]:
    """Up to MOST_FLIPS queries of a system whose score changed, the largest changes first."""
    changed = []
    for pair in shared:
        before, after = scores.old.get(pair.new.query_id), scores.new.get(pair.new.query_id)
        if before and after and measure in before.scores and measure in after.scores:
            values = before.scores[measure], after.scores[measure]
            if values[0] != values[1]:
                changed.append(_Changed(pair, *values))
    changed.sort(key=lambda one: (-abs(one.new - one.old), one.pair.new.query_id))
    changed = changed[:MOST_FLIPS]
    hits_old = dict(_hits(old, system, [one.pair.old for one in changed]))
    hits_new = dict(_hits(new, system, [one.pair.new for one in changed]))
    return [
        Flip(
            system,
            one.pair.new.query_id,
            one.pair.new.modality,
            measure,
            one.old,
            one.new,
            one.pair.new.question,
            gold=[_shown(gold.source_id, [gold.region]) for gold in one.pair.new.gold],
            old_hits=hits_old.get(one.pair.old.query_id, []),
            new_hits=hits_new.get(one.pair.new.query_id, []),
        )
        for one in changed
    ]


def _hits(side: Side, system: str, queries: Sequence[Annotation]) -> Iterator[tuple[str, list[str]]]:
    atoms = side.atoms(system)
    for modality in MODALITIES:
        wanted = [query.query_id for query in queries if query.modality == modality]
        lines = side.run(system, modality) if wanted else {}
        for key in wanted:
            if key in lines:
                yield key, _top(_LINE.decode(lines[key]), atoms)


def _top(line: RunLine, atoms: Mapping[str, Atom]) -> list[str]:
    """The hits of the highest scores; of equal ones in the order of the run."""
    best = sorted(line.hits, key=lambda hit: -hit.score)[:TOP_HITS]
    shown = []
    for hit in best:
        if isinstance(hit.atom_id, str) and hit.atom_id in atoms:
            shown.append(_shown(atoms[hit.atom_id].source_id, atoms[hit.atom_id].regions))
        else:
            shown.append(_shown(str(hit.source_id), [hit.region] if isinstance(hit.region, dict) else []))
    return shown


def _shown(source_id: str, regions: Sequence[Region]) -> str:
    return " ".join([source_id, *(encode(region).decode() for region in regions if region)])
