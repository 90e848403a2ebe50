"""retrieve: the reference systems answer the queries -> runs/<system>/<modality>.jsonl and runs/<system>/system.json.

Only dev queries are read unless `score.acceptance` is on. `strong` marks hits that reach the score which best tells
answerable from unanswerable dev queries (highest F1 of the top score). Latencies go to metrics/<system>/latency.json,
which is no output: they differ from run to run.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from time import perf_counter
from typing import Any, NamedTuple

from bench.jsonl import read_rows, write_document, write_rows
from bench.manifest import textless as textless_of
from bench.records import MODALITIES, Annotation, CorpusEntry, Hit, RunLine
from bench.suite import Suite
from bench.systems import system
from bench.systems.base import Ranking
from bench.systems.latency import percentile
from bench.systems.units import Units


class Answered(NamedTuple):
    """What one system did on one modality: milliseconds a query, and the score from which hits are strong."""

    milliseconds: list[float]
    threshold: float | None


def retrieve(suite: Suite) -> dict[str, dict[str, int]]:
    """Run the stage; returns {system: {modality: queries answered}}."""
    names = suite.params["retrieve"]["systems"]
    for name in names:
        system(name)
    present = [modality for modality in MODALITIES if (suite.sets / f"{modality}.jsonl").is_file()]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        running = {modality: pool.submit(_answer_modality, suite.directory, modality) for modality in present}
        answered = {modality: running[modality].result() for modality in present}
    for name in names:
        of_system = {modality: answered[modality][name] for modality in present}
        _describe(suite, name, of_system)
    return {name: {modality: len(answered[modality][name].milliseconds) for modality in present} for name in names}


def _answer_modality(directory: Any, modality: str) -> dict[str, Answered]:
    suite = Suite(directory)
    settings = suite.params["retrieve"]
    splits = suite.splits
    units = Units(read_rows(suite.corpus / f"{modality}.jsonl", CorpusEntry), settings["grid"])
    textless = textless_of(suite)
    queries = [query for query in read_rows(suite.sets / f"{modality}.jsonl", Annotation) if query.split in splits]
    done = {}
    for name in settings["systems"]:
        kind = system(name)
        asked = [query for query in queries if kind.reads != "text" or query.origin.dataset not in textless]
        engine = kind(units, settings[name.removesuffix("_unscoped")], settings["depth"])
        rankings, milliseconds = [], []
        for query in asked:
            began = perf_counter()
            rankings.append(engine.answer(query))
            milliseconds.append((perf_counter() - began) * 1000)
        threshold = best_threshold(asked, rankings)
        lines = [_line(query, ranking, units, threshold) for query, ranking in zip(asked, rankings, strict=True)]
        write_rows(suite.runs / name / f"{modality}.jsonl", lines)
        done[name] = Answered(milliseconds, threshold)
    return done


def best_threshold(queries: Sequence[Annotation], rankings: Sequence[Ranking]) -> float | None:
    """The top score from which 'answerable' is the best guess on dev, by F1; the higher of equals.

    None where dev has no answerable query with a hit: then nothing is strong.
    """
    dev = [
        (ranking[0][1] if ranking else float("-inf"), not query.unanswerable)
        for query, ranking in zip(queries, rankings, strict=True)
        if query.split == "dev"
    ]
    positives = sum(answerable for _, answerable in dev)
    best: tuple[float, float] | None = None
    right = 0
    ordered = sorted(dev, reverse=True)
    for guessed, (score, answerable) in enumerate(ordered, 1):
        right += answerable
        last_of_ties = guessed == len(ordered) or ordered[guessed][0] != score
        if last_of_ties and right and score > float("-inf"):
            f1 = 2 * right / (guessed + positives)
            if best is None or f1 > best[0]:
                best = (f1, score)
    return best[1] if best else None


def _line(query: Annotation, ranking: Ranking, units: Units, threshold: float | None) -> RunLine:
    hits = []
    for unit, score in ranking:
        place = units.places[unit]
        strong = threshold is not None and score >= threshold
        hits.append(Hit(source_id=place.source_id, region=place.region, score=score, strong=strong))
    return RunLine(query.query_id, hits)


def _describe(suite: Suite, name: str, answered: dict[str, Answered]) -> None:
    settings = suite.params["retrieve"]
    strong_from = {modality: done.threshold for modality, done in answered.items() if done.threshold is not None}
    stated = settings[name.removesuffix("_unscoped")]
    write_document(
        suite.runs / name / "system.json",
        {"name": name, "reads": system(name).reads, "settings": stated, "strong_from": strong_from},
    )
    every = [value for done in answered.values() for value in done.milliseconds]
    latency = {modality: done.milliseconds for modality, done in answered.items()} | {"all": every}
    write_document(
        suite.metrics / name / "latency.json",
        {
            place: {
                "n": len(values),
                **{f"p{p}_ms": round(value, 3) for p in (50, 95) if (value := percentile(values, p)) is not None},
            }
            for place, values in latency.items()
        },
    )
