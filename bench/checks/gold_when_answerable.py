"""gold is empty exactly when the query is unanswerable."""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding

CODE = "E120"
NAME = "gold_when_answerable"
REMEDY = "Give the gold, or mark the query as unanswerable; not both, not neither."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield answerable queries without gold, and unanswerable ones with it."""
    for query in contents.queries:
        gold, unanswerable = len(query.annotation.gold), query.annotation.unanswerable
        if unanswerable and gold:
            yield query.finding(CODE, f"unanswerable with {gold} gold", "no gold on an unanswerable query")
        elif not unanswerable and not gold:
            yield query.finding(CODE, "answerable without gold", "at least one gold on an answerable query")
