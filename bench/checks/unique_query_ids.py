"""A query_id stands once across all sets."""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding, Query

CODE = "E110"
NAME = "unique_query_ids"
REMEDY = "Remove the repeated line, or give it the next free `:2`, `:3`."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield every line but the first of an id."""
    first: dict[str, Query] = {}
    for query in contents.queries:
        before = first.setdefault(query.annotation.query_id, query)
        if before is not query:
            yield query.finding(CODE, f"also at {before.path}:{before.line}", "each query_id once")
