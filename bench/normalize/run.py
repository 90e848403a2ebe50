"""normalize: upstream rows -> sets/<modality>.jsonl and corpus/<modality>.jsonl, with every row accounted for.

Rows in = kept + excluded is checked per source and kind. What is left out goes to sets/excluded.jsonl with a reason,
what is kept with another value than upstream's to sets/resolved.jsonl with the rule and the raw value.
"""

import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from bench.errors import BenchError
from bench.jsonl import write_document, write_rows
from bench.manifest import listed
from bench.normalize.corpora import Part, merge_corpora
from bench.normalize.counts import describe, modalities_of
from bench.normalize.kept import read_or_keep
from bench.normalize.queries import annotations, capped, without_contradictions, without_repeats
from bench.normalize.twins import Twins, make_twins
from bench.records import Annotation
from bench.suite import Suite


def normalize(suite: Suite) -> dict[str, Any]:
    """Run the stage; returns what metrics/dataset.json says. BenchError where a row is unaccounted for."""
    suite.check_raw_is_what_params_list()
    _check_manifest(suite)
    parts = _read_sources(suite)
    merge_corpora(parts, suite.corpus)
    owned = {source_id: owner for part in parts for source_id, owner in part.owned.items()}
    queries = [query for part in parts for query in annotations(part, owned, suite.params)]
    asked = queries
    queries = capped(without_repeats(without_contradictions(queries, parts), parts), parts, suite)
    twins = {modality: _twins(modality, queries, asked, parts, suite) for modality in modalities_of(parts)}
    queries += [twin for found in twins.values() for twin in found.made]
    return _write(suite, parts, sorted(queries, key=lambda query: query.query_id), twins)


def _check_manifest(suite: Suite) -> None:
    wanted = {source.name for source in suite.sources}
    found = listed(suite)
    if wanted != found:
        raise BenchError(
            f"{suite.show(suite.manifest)} is of other sources than params.yaml lists "
            f"({', '.join(sorted(wanted ^ found))}): run the verify stage first"
        )


def _read_sources(suite: Suite) -> list[Part]:
    """One part a source, in the order of params; each is read in a process of its own, if it changed at all."""
    folder = suite.directory / ".work" / "parts"
    jobs = [
        (source, suite.raw / source.name, suite.options(source), suite.params["assign"], folder)
        for source in suite.sources
    ]
    # The largest first, so that none is left to run alone at the end.
    order = sorted(range(len(jobs)), key=lambda index: -sum(file.bytes or 0 for file in jobs[index][0].files))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        running = {index: pool.submit(read_or_keep, *jobs[index]) for index in order}
        parts = [running[index].result() for index in range(len(jobs))]
    for left in {path.name for path in folder.iterdir()} - {source.name for source in suite.sources}:
        shutil.rmtree(folder / left)
    return parts


def _twins(modality: str, queries: list[Annotation], asked: list[Annotation], parts: list[Part], suite: Suite) -> Twins:
    """The twins of `queries`. `asked` are all queries, those left out later too: their gold answers a twin as well."""
    settings = suite.params["twins"]
    sources = {
        source_id: owner
        for part in parts
        if part.source.modality == modality
        for source_id, owner in part.owned.items()
    }
    originals = sorted(
        (query for query in queries if query.modality == modality and not query.unanswerable),
        key=lambda query: query.query_id,
    )
    shares = {kind: settings[kind] for kind in ("other_holder", "before_observation")}
    return make_twins(
        originals,
        [query for query in asked if query.modality == modality],
        sources,
        shares,
        settings["min_other_sources"],
    )


def _write(suite: Suite, parts: list[Part], queries: list[Annotation], twins: dict[str, Twins]) -> dict[str, Any]:
    for modality in modalities_of(parts):
        write_rows(suite.sets / f"{modality}.jsonl", (query for query in queries if query.modality == modality))
    for name in ("excluded", "resolved"):
        rows: list[dict[str, Any]] = [
            {"source": part.source.name, "dataset": part.source.dataset, **row._asdict()}
            for part in parts
            for row in getattr(part, name)
        ]
        rows.sort(key=lambda row: (row["source"], row["item"], str(row)))
        write_rows(suite.sets / f"{name}.jsonl", rows)
    dataset = describe(parts, queries, twins)
    write_document(suite.metrics / "dataset.json", dataset)
    return dataset
