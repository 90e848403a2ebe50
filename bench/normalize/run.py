"""normalize: upstream rows -> sets/<modality>.jsonl and corpus/<modality>.jsonl, with every row accounted for.

Rows in = kept + excluded is checked per source and kind. What is left out goes to sets/excluded.jsonl with a reason,
what is kept with another value than upstream's to sets/resolved.jsonl with the rule and the raw value.
"""

import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from bench import ids
from bench.errors import BenchError
from bench.jsonl import read_rows, write_document, write_rows
from bench.normalize.assign import end_of_year
from bench.normalize.corpora import Part, merge_corpora
from bench.normalize.kept import read_or_keep
from bench.normalize.twins import Owned, Twins, kinds, make_twins
from bench.records import MODALITIES, Annotation, Gold, Origin, Scope
from bench.registry import Source
from bench.suite import Suite
from bench.upstream.base import Excluded, Question, Resolved


def normalize(suite: Suite) -> dict[str, Any]:
    """Run the stage; returns what metrics/dataset.json says. BenchError where a row is unaccounted for."""
    suite.check_raw_is_what_params_list()
    _check_manifest(suite)
    parts = _read_sources(suite)
    merge_corpora(parts, suite.corpus)
    owned = {source_id: owner for part in parts for source_id, owner in part.owned.items()}
    queries = [_annotations(part, owned, suite.params) for part in parts]
    annotations = _without_contradictions([query for found in queries for query in found], parts)
    annotations = _capped(annotations, parts, suite)
    twins = {modality: _twins(modality, annotations, parts, suite) for modality in _modalities(parts)}
    annotations += [twin for found in twins.values() for twin in found.made]
    return _write(suite, parts, sorted(annotations, key=lambda annotation: annotation.query_id), twins)


def _check_manifest(suite: Suite) -> None:
    listed = {source.name for source in suite.sources}
    found = {row["source"] for row in read_rows(suite.manifest, dict)}
    if listed != found:
        raise BenchError(
            f"{suite.show(suite.manifest)} is of other sources than params.yaml lists "
            f"({', '.join(sorted(listed ^ found))}): run the verify stage first"
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


def _modalities(parts: Iterable[Part]) -> list[str]:
    present = {part.source.modality for part in parts}
    return [modality for modality in MODALITIES if modality in present]


def _annotations(part: Part, owned: dict[str, Owned], params: dict[str, Any]) -> list[Annotation]:
    """The questions of one source as annotations; faults go to the part's exclusions."""
    found, seen = [], Counter[str]()
    for question in part.questions:
        base = ids.query_id(part.source.dataset, question.about, question.question)
        seen[base] += 1
        query_id = base if seen[base] == 1 else f"{base}:{seen[base]}"
        made = _annotation(part.source, question, query_id, owned, params)
        if isinstance(made, Excluded):
            part.excluded.append(made)
            continue
        if made.question != question.question:
            part.resolved.append(
                Resolved(question.item, "blanks_trimmed", "question", question.question, made.question)
            )
        found.append(made)
    return found


def _annotation(
    source: Source, question: Question, query_id: str, owned: dict[str, Owned], params: dict[str, Any]
) -> Annotation | Excluded:
    text = question.question.strip()
    if not text:
        return Excluded("question", question.item, "empty_question")
    needed = [gold.source_id for gold in question.gold] + ([question.session] if question.session else [])
    if missing := [source_id for source_id in needed if source_id not in owned]:
        return Excluded("question", question.item, "missing_document", missing[0])
    owners = {question.holder} if question.holder else {owned[source_id].holder for source_id in needed}
    if len(owners) > 1:
        return Excluded("question", question.item, "gold_of_several_holders", ", ".join(sorted(owners)))
    if not owners:
        raise BenchError(f"{source.name}: {question.item} has neither a holder, nor a session or gold to take it from")
    as_of = question.as_of or end_of_year(params["assign"]["epoch"])
    late = [gold.source_id for gold in question.gold if owned[gold.source_id].observed_at > as_of]
    if late:
        return Excluded("question", question.item, "gold_after_as_of", late[0])
    return Annotation(
        query_id=query_id,
        modality=source.modality,
        question=text,
        answer=question.answer,
        answer_format=question.answer_format,
        gold=list(question.gold),
        scope=Scope(owners.pop(), question.session, question.scenario),
        as_of=as_of,
        unanswerable=question.unanswerable,
        origin=Origin(source.dataset, source.revision, question.item, source.licence.spdx),
        split=ids.split(query_id, params["split"]["dev"]),
    )


def _without_contradictions(annotations: list[Annotation], parts: list[Part]) -> list[Annotation]:
    """Leave out every query that is asked twice, by the same holder under the same scope, with different gold."""
    groups: dict[tuple[str, str, str | None, str], list[Annotation]] = defaultdict(list)
    for query in annotations:
        key = (ids.normalise_question(query.question), query.scope.holder, query.scope.session, query.as_of)
        groups[key].append(query)
    excluded: dict[str, list[Excluded]] = defaultdict(list)
    kept = []
    for group in groups.values():
        if len({_canonical_gold(query.gold) for query in group}) == 1:
            kept += group
            continue
        for query in group:
            reason = "contradicting_gold" if query.scope.session else "ambiguous_within_holder"
            others = ", ".join(other.query_id for other in group if other is not query)
            excluded[query.origin.dataset].append(Excluded("question", query.origin.item, reason, others[:200]))
    for part in parts:
        part.excluded += excluded[part.source.dataset]
    return kept


def _canonical_gold(gold: list[Gold]) -> tuple[str, ...]:
    return tuple(sorted(f"{item.source_id}#{sorted(item.region.items())}" for item in gold))


def _capped(annotations: list[Annotation], parts: list[Part], suite: Suite) -> list[Annotation]:
    """At most `cap` queries a source, those with the smallest hashes: stable when upstream grows or is reordered."""
    by_dataset: dict[str, list[Annotation]] = defaultdict(list)
    for query in annotations:
        by_dataset[query.origin.dataset].append(query)
    kept = []
    for part in parts:
        cap = suite.options(part.source).get("cap")
        queries = sorted(by_dataset[part.source.dataset], key=lambda query: ids.digest("cap", query.query_id))
        kept += queries[:cap]
        if cap is not None:
            part.excluded += [Excluded("question", query.origin.item, "over_cap", str(cap)) for query in queries[cap:]]
    return kept


def _twins(modality: str, annotations: list[Annotation], parts: list[Part], suite: Suite) -> Twins:
    settings = suite.params["twins"]
    sources = {
        source_id: owner
        for part in parts
        if part.source.modality == modality
        for source_id, owner in part.owned.items()
    }
    originals = sorted(
        (query for query in annotations if query.modality == modality and not query.unanswerable),
        key=lambda query: query.query_id,
    )
    shares = {kind: settings[kind] for kind in ("other_holder", "before_observation")}
    return make_twins(originals, sources, shares, settings["min_other_sources"])


def _write(suite: Suite, parts: list[Part], queries: list[Annotation], twins: dict[str, Twins]) -> dict[str, Any]:
    for modality in _modalities(parts):
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


def describe(parts: list[Part], queries: list[Annotation], twins: dict[str, Twins]) -> dict[str, Any]:
    """What metrics/dataset.json says. BenchError where the rows of a source do not add up."""
    counts: dict[str, Any] = {}
    for modality in ["all", *_modalities(parts)]:
        of_parts = [part for part in parts if modality in ("all", part.source.modality)]
        of_queries = [query for query in queries if modality in ("all", query.modality)]
        classes = Counter(query.unanswerable_class or "answerable" for query in of_queries)
        counts[modality] = {
            "sources": sum(len(part.owned) for part in of_parts),
            "queries": len(of_queries),
            "unanswerable": len(of_queries) - classes["answerable"],
            "holders": len({owner.holder for part in of_parts for owner in part.owned.values()}),
            **{name: classes[name] for name in ("answerable", "native", "other_holder", "before_observation")},
        }
    counts["by_source"] = {part.source.name: _rows(part, queries, twins) for part in parts}
    return counts


def _rows(part: Part, queries: list[Annotation], twins: dict[str, Twins]) -> dict[str, Any]:
    name, dataset = part.source.name, part.source.dataset
    own = [query for query in queries if query.origin.dataset == dataset]
    made = [query for query in own if query.unanswerable_class in ("other_holder", "before_observation")]
    kept = {**part.kept, "question": len(own) - len(made)}
    rows: dict[str, Any] = {}
    for kind, total in sorted(part.rows.items()):
        excluded = sum(row.kind == kind for row in part.excluded)
        if total != kept[kind] + excluded:
            raise BenchError(f"{name}: {total} {kind} rows came in, but {kept[kind]} were kept and {excluded} excluded")
        rows[kind] = {"rows": total, "kept": kept[kind], "excluded": excluded}
    reasons = Counter(f"{row.kind}:{row.reason}" for row in part.excluded)
    refused = twins[part.source.modality].refused.get(dataset, Counter())
    return {
        **rows,
        "excluded": dict(reasons),
        "resolved": dict(Counter(row.rule for row in part.resolved)),
        "twins": dict(kinds(made)),
        "twins_refused": dict(refused),
    }
