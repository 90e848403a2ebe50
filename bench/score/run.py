"""score: every run of a suite against its gold -> metrics/<system>/scores.json and scores/<system>/per_query.jsonl.

The test split is read and scored only when `score.acceptance` is on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bench.errors import BenchError
from bench.jsonl import read_rows, write_document, write_rows
from bench.manifest import textless as textless_of
from bench.measures import MEASURES
from bench.records import Annotation, CorpusHead, RunLine, Scored
from bench.score.aggregate import aggregate
from bench.score.judge import judge
from bench.score.plots import write_plots
from bench.score.provenance import write_provenance
from bench.score.runs import Run
from bench.suite import Suite


class Scores(NamedTuple):
    """What scoring one run gives: the document of scores.json, and a line a query."""

    document: dict[str, Any]
    per_query: list[Scored]


def score(suite: Suite) -> dict[str, dict[str, Any]]:
    """Run the stage for every system of params; returns {system: scores.json}."""
    queries, corpus, textless = read_queries(suite), read_corpus(suite), textless_of(suite)
    documents = {}
    for system in suite.params["retrieve"]["systems"]:
        folder = suite.runs / system
        if not folder.is_dir():
            raise BenchError(f"{suite.show(folder)} is missing: run the retrieve stage, or `dvc pull`")
        scores = score_run(Run(folder, system), queries, corpus, suite.splits, textless)
        write_document(suite.metrics / system / "scores.json", scores.document)
        write_rows(suite.scores / system / "per_query.jsonl", scores.per_query)
        documents[system] = scores.document
    write_plots(suite, documents, suite.splits[-1])
    write_provenance(suite)
    return documents


def read_queries(suite: Suite) -> dict[str, Annotation]:
    """The suite's queries by id, in the order of ids."""
    queries = [
        query
        for path in sorted(suite.sets.glob("*.jsonl"))
        if path.stem not in ("excluded", "resolved")
        for query in read_rows(path, Annotation)
    ]
    return {query.query_id: query for query in sorted(queries, key=lambda query: query.query_id)}


def read_corpus(suite: Suite) -> dict[str, CorpusHead]:
    """Every source of the suite, without its text."""
    return {
        head.source_id: head
        for path in sorted(suite.corpus.glob("*.jsonl"))
        if path != suite.manifest
        for head in read_rows(path, CorpusHead)
    }


def score_run(
    run: Run,
    queries: Mapping[str, Annotation],
    corpus: Mapping[str, CorpusHead],
    splits: Sequence[str],
    textless: Iterable[str] = (),
) -> Scores:
    """Score one run on the queries of `splits`; its lines for other queries of the suite are passed over.

    `textless` are the datasets on which a system that reads text cannot be measured. BenchError on a line for an
    unknown query or another modality, on a hit that is no hit, and on a run without any line for these queries.
    """
    unmeasured = set(textless) if run.system.get("reads") == "text" else set()
    scored = {key: query for key, query in queries.items() if query.split in splits}
    measured = {key: query for key, query in scored.items() if query.origin.dataset not in unmeasured}
    answered = {
        line.query_id: _judged(query, line, corpus, run)
        for query, line in _answers(run, queries)
        if line.query_id in measured
    }
    if not answered:
        raise BenchError(f"run {run.name} has no line for any of the {len(measured)} queries that are scored")
    per_query = [answered.get(key) or _without_line(query) for key, query in measured.items()]
    left_out = [query for key, query in scored.items() if key not in measured]
    return Scores(aggregate(per_query, left_out), per_query)


def _answers(run: Run, queries: Mapping[str, Annotation]) -> Iterator[tuple[Annotation, RunLine]]:
    for modality, line in run.lines():
        query = queries.get(line.query_id)
        if query is None:
            raise BenchError(f"run {run.name}, {modality}.jsonl: {line.query_id!r} is no query of this suite")
        if query.modality != modality:
            raise BenchError(f"run {run.name}, {modality}.jsonl: {line.query_id!r} is a {query.modality} query")
        yield query, line


def _judged(query: Annotation, line: RunLine, corpus: Mapping[str, CorpusHead], run: Run) -> Scored:
    judged = judge(query, line, corpus, run.atoms, f"run {run.name}")
    scores = {measure.key: measure.value(judged) for measure in MEASURES if measure.applies(query)}
    return _scored(query, answered=True, hits=len(line.hits), oversized=judged.oversized, scores=scores)


def _without_line(query: Annotation) -> Scored:
    worst = {measure.key: measure.worst for measure in MEASURES if measure.applies(query)}
    return _scored(query, answered=False, hits=0, oversized=0, scores=worst)


def _scored(query: Annotation, *, answered: bool, hits: int, oversized: int, scores: dict[str, float]) -> Scored:
    return Scored(
        query_id=query.query_id,
        modality=query.modality,
        dataset=query.origin.dataset,
        scenario=query.scope.scenario,
        split=query.split,
        unanswerable=query.unanswerable_class,
        answered=answered,
        hits=hits,
        oversized=oversized,
        scores=scores,
    )
