"""No question is asked twice, by one holder about one session at one moment, with different gold.

Questions are compared in their normalised form (bench.ids), gold without its order.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

from bench.checks.base import Contents, Finding, Query
from bench.ids import normalise_question
from bench.jsonl import encode
from bench.records import Annotation

CODE = "E142"
NAME = "contradiction"
REMEDY = "Leave both out, or make the questions differ: one of them is scored wrong whatever comes back."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield each query whose gold differs from that of the group's smallest query_id."""
    groups: dict[tuple[str, str | None, str, str], list[Query]] = defaultdict(list)
    for query in contents.queries:
        scope = query.annotation.scope
        question = normalise_question(query.annotation.question)
        groups[question, scope.session, scope.holder, query.annotation.as_of].append(query)
    yield from chain.from_iterable(_check(group) for group in groups.values() if len(group) > 1)


def _check(group: list[Query]) -> Iterator[Finding]:
    first, *others = sorted(group, key=lambda query: (query.annotation.query_id, query.path, query.line))
    gold = _gold(first.annotation)
    for query in others:
        if _gold(query.annotation) != gold:
            yield query.finding(
                CODE,
                f"the question of {first.annotation.query_id} ({first.path}:{first.line}) with other gold",
                "one gold for one question of one holder, session and as_of",
            )


def _gold(annotation: Annotation) -> set[tuple[str, bytes]]:
    return {(gold.source_id, encode(gold.region)) for gold in annotation.gold}
