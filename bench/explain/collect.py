"""What there is to say about one query: gold with its text, and every hit with the reasons why it counts or not."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

import msgspec
from msgspec import UNSET

from bench.errors import BenchError
from bench.explain.reasons import Reason, reasons
from bench.jsonl import encode, read_rows
from bench.manifest import textless as textless_of
from bench.measures import MEASURES
from bench.modalities import geometry
from bench.own.load import line_of, load
from bench.records import Annotation, CorpusEntry, CorpusHead, Gold, Region, RunLine
from bench.score.judge import credit, judge, place, rank
from bench.score.run import read_corpus, read_queries
from bench.score.runs import Run
from bench.suite import Suite


class GoldShown(msgspec.Struct, frozen=True):
    """A gold region. `text` is that of the corpus units which find it; None where the source has none there."""

    source_id: str
    title: str
    holder: str
    observed_at: str
    region: Region
    text: str | None


class HitShown(msgspec.Struct, frozen=True):
    """A hit at its rank. `text` as in GoldShown, but of the units that are exactly its regions."""

    rank: int
    score: float
    strong: bool
    source_id: str
    title: str
    regions: list[Region]
    text: str | None
    reasons: list[Reason]


class SystemShown(msgspec.Struct, frozen=True):
    """What one system returned. `state`: answered, no_line (worst values), or not_measured (no scores)."""

    system: str
    state: str
    returned: int
    hits: list[HitShown]
    scores: dict[str, float]


class Explained(msgspec.Struct, frozen=True):
    """`kind`: answerable, native, other_holder or before_observation. `gold` of a twin is its original's."""

    query: Annotation
    kind: str
    gold: list[GoldShown]
    systems: list[SystemShown]


def explain(suite: Suite, query_id: str, runs: Sequence[Path], hits: int) -> Explained:
    """Explain one query to the first `hits` hits of each run (all the suite's where none is named).

    BenchError on an unknown query, with the nearest ids, and on a run that is not there.
    """
    queries, corpus = read_queries(suite), read_corpus(suite)
    query = _query(query_id, queries)
    original = queries[query.twin_of.query_id] if query.twin_of is not UNSET else None
    names = runs or [Path(path.name) for path in sorted(suite.runs.glob("*/"))]
    textless = textless_of(suite)
    loaded = [load(name, suite, queries) for name in names]
    lines = [(run, line_of(run, query)) for run in loaded]
    gold = (original or query).gold
    wanted = {each.source_id for each in gold} | {
        hit.source_id
        for run, line in lines
        if line
        for hit in rank([place(hit, run.atoms, run.name) for hit in line.hits], run.name)[:hits]
    }
    entries = _entries(suite, query.modality, wanted)
    return Explained(
        query,
        query.unanswerable_class or "answerable",
        [_gold(each, query.modality, entries[each.source_id]) for each in gold],
        [_system(run, line, query, original, corpus, entries, hits, textless) for run, line in lines],
    )


def _query(query_id: str, queries: Mapping[str, Annotation]) -> Annotation:
    if query_id in queries:
        return queries[query_id]
    near = get_close_matches(query_id, queries, n=3, cutoff=0.5)
    hint = f"the nearest ids: {', '.join(near)}" if near else "sets/<modality>.jsonl holds the ids"
    raise BenchError(f"{query_id!r} is no query of this suite; {hint}")


def _entries(suite: Suite, modality: str, wanted: Iterable[str]) -> dict[str, CorpusEntry]:
    ids = set(wanted)
    rows = read_rows(suite.corpus / f"{modality}.jsonl", CorpusEntry)
    return {entry.source_id: entry for entry in rows if entry.source_id in ids}


def _gold(gold: Gold, modality: str, entry: CorpusEntry) -> GoldShown:
    shape = geometry(modality)
    texts = [unit.text for unit in entry.units if shape.Finder(gold.region, entry.extent).add([unit.region])]
    text = "\n".join(texts) if texts else None
    return GoldShown(gold.source_id, entry.title, entry.holder, entry.observed_at, gold.region, text)


def _system(
    run: Run,
    line: RunLine | None,
    query: Annotation,
    original: Annotation | None,
    corpus: Mapping[str, CorpusHead],
    entries: Mapping[str, CorpusEntry],
    shown: int,
    textless: set[str],
) -> SystemShown:
    if run.system.get("reads") == "text" and query.origin.dataset in textless:
        return SystemShown(run.name, "not_measured", len(line.hits) if line else 0, [], {})
    measures = [measure for measure in MEASURES if measure.applies(query)]
    if line is None:
        return SystemShown(run.name, "no_line", 0, [], {measure.key: measure.worst for measure in measures})
    judged = judge(query, line, corpus, run.atoms, f"run {run.name}")
    ranked = rank([place(hit, run.atoms, run.name) for hit in line.hits], run.name)
    told = reasons(query, ranked, credit(query, ranked, corpus), corpus, original)
    hits = [
        HitShown(
            number,
            hit.score,
            hit.strong,
            hit.source_id,
            entries[hit.source_id].title,
            list(hit.regions),
            _text(hit.regions, entries[hit.source_id]),
            why,
        )
        for number, (hit, why) in enumerate(zip(ranked[:shown], told, strict=False), 1)
    ]
    scores = {measure.key: measure.value(judged) for measure in measures}
    return SystemShown(run.name, "answered", len(ranked), hits, scores)


def _text(regions: Sequence[Region], entry: CorpusEntry) -> str | None:
    places = {encode(region) for region in regions}
    texts = [unit.text for unit in entry.units if encode(unit.region) in places]
    return "\n".join(texts) if texts else None
