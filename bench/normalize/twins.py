"""Derived unanswerables: an answerable query put so that its evidence must not come back, by structure alone.

`other_holder`        the same question, asked by a holder who does not own the evidence
`before_observation`  the same question, asked a second before the first of its evidence was observed

A twin is made only where no gold of the same normalised question is visible to it, and where its holder sees at least
`min_other_sources` sources of the modality at that moment: else a system that finds nothing would look careful. What
is refused is counted by reason.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from bench.ids import digest, normalise_question, share
from bench.records import Annotation, Scope, TwinOf
from bench.times import shift

SUFFIX = {"other_holder": "~holder", "before_observation": "~before"}


class Owned(NamedTuple):
    """Whose a source is, and since when."""

    holder: str
    observed_at: str
    dataset: str


class Twins(NamedTuple):
    """The twins made, and per dataset why others were not."""

    made: list[Annotation]
    refused: dict[str, Counter[str]]


class _Modality:
    """What the sources and questions of one modality let each holder see."""

    def __init__(self, asked: Sequence[Annotation], sources: Mapping[str, Owned]) -> None:
        self.sources = sources
        times: dict[str, list[str]] = defaultdict(list)
        self._holders: dict[str, list[str]] = defaultdict(list)
        for owned in sources.values():
            times[owned.holder].append(owned.observed_at)
        for dataset, holder in sorted({(owned.dataset, owned.holder) for owned in sources.values()}):
            self._holders[dataset].append(holder)
        self._times = {holder: sorted(moments) for holder, moments in times.items()}
        self._gold: dict[str, list[Owned]] = defaultdict(list)
        for query in asked:
            self._gold[normalise_question(query.question)] += [sources[gold.source_id] for gold in query.gold]

    def others(self, dataset: str, holder: str) -> list[str]:
        """The other holders of the dataset; where one holder owns it all (a package), those of the modality."""
        within = [other for other in self._holders[dataset] if other != holder]
        return within or sorted({other for others in self._holders.values() for other in others} - {holder})

    def visible(self, holder: str, as_of: str) -> int:
        """How many sources `holder` has at `as_of`."""
        return bisect_right(self._times[holder], as_of)

    def gold_of(self, question: str) -> list[Owned]:
        """The sources that hold gold of any query with this question."""
        return self._gold[normalise_question(question)]


def make_twins(
    originals: Sequence[Annotation],
    asked: Sequence[Annotation],
    sources: Mapping[str, Owned],
    shares: Mapping[str, float],
    min_other_sources: int,
) -> Twins:
    """The twins of one modality's answerable `originals`; `shares` says of what part of them, by kind.

    `asked` are all queries of the modality, also those that are left out of the set: their gold answers as well.
    """
    modality = _Modality(asked, sources)
    made: list[Annotation] = []
    refused: dict[str, Counter[str]] = defaultdict(Counter)
    for original in originals:
        for kind, wanted in sorted(shares.items()):
            if share(original.query_id, kind) >= wanted:
                continue
            scopes = _scopes(original, kind, modality)
            seen = [scope for scope in scopes if modality.visible(*scope) >= min_other_sources]
            gold = modality.gold_of(original.question)
            clear = next((scope for scope in seen if not any(_sees(scope, source) for source in gold)), None)
            if clear:
                made.append(_twin(original, kind, *clear))
            else:
                reason = "gold_visible" if seen else "too_few_sources" if scopes else "no_other_holder"
                refused[original.origin.dataset][f"{kind}:{reason}"] += 1
    return Twins(made, refused)


def _sees(scope: tuple[str, str], source: Owned) -> bool:
    holder, as_of = scope
    return source.holder == holder and source.observed_at <= as_of


def _scopes(original: Annotation, kind: str, modality: _Modality) -> list[tuple[str, str]]:
    """(holder, as_of) under which the twin could be asked, the preferred one first."""
    if kind == "before_observation":
        earliest = min(modality.sources[gold.source_id].observed_at for gold in original.gold)
        return [(original.scope.holder, shift(earliest, seconds=-1))]
    ranked = modality.others(original.origin.dataset, original.scope.holder)
    start = int(digest(original.query_id, kind)[:8], 16) % max(1, len(ranked))
    return [(holder, original.as_of) for holder in ranked[start:] + ranked[:start]]


def _twin(original: Annotation, kind: str, holder: str, as_of: str) -> Annotation:
    return msgspec.structs.replace(
        original,
        query_id=original.query_id + SUFFIX[kind],
        answer=None,
        answer_format="none",
        gold=[],
        scope=Scope(holder, None, original.scope.scenario),
        as_of=as_of,
        unanswerable=True,
        twin_of=TwinOf(original.query_id, kind),
    )


def kinds(twins: Iterable[Annotation]) -> Counter[str]:
    """How many twins of each kind."""
    return Counter(str(twin.unanswerable_class) for twin in twins)
