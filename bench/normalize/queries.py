"""From what adapters yield to annotations: ids, holders and moments, and the faults that only a whole suite shows."""

from collections import Counter, defaultdict
from typing import Any

from bench import ids
from bench.errors import BenchError
from bench.normalize.assign import end_of_year
from bench.normalize.corpora import Part
from bench.normalize.twins import Owned
from bench.records import Annotation, Gold, Origin, Scope
from bench.registry import Source
from bench.suite import Suite
from bench.upstream.base import Excluded, Question, Resolved


def annotations(part: Part, owned: dict[str, Owned], params: dict[str, Any]) -> list[Annotation]:
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


def without_contradictions(annotations: list[Annotation], parts: list[Part]) -> list[Annotation]:
    """Leave out every query that is asked twice, by the same holder under the same scope, with different gold."""
    groups: dict[tuple[str, str, str | None, str], list[Annotation]] = defaultdict(list)
    for query in annotations:
        groups[_asked(query)].append(query)
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


def without_repeats(annotations: list[Annotation], parts: list[Part]) -> list[Annotation]:
    """Leave out what is asked again, by the same holder under the same scope, with the same gold: it counted twice."""
    seen: set[tuple[Any, ...]] = set()
    excluded: dict[str, list[Excluded]] = defaultdict(list)
    kept = []
    for query in annotations:
        asked = (_asked(query), query.modality, _canonical_gold(query.gold))
        if asked in seen:
            excluded[query.origin.dataset].append(Excluded("question", query.origin.item, "repeated_question"))
        else:
            seen.add(asked)
            kept.append(query)
    for part in parts:
        part.excluded += excluded[part.source.dataset]
    return kept


def _asked(query: Annotation) -> tuple[str, str, str | None, str]:
    return ids.normalise_question(query.question), query.scope.holder, query.scope.session, query.as_of


def _canonical_gold(gold: list[Gold]) -> tuple[str, ...]:
    return tuple(sorted(f"{item.source_id}#{sorted(item.region.items())}" for item in gold))


def capped(annotations: list[Annotation], parts: list[Part], suite: Suite) -> list[Annotation]:
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
