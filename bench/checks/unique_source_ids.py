"""A source_id stands once across the corpus."""

from collections.abc import Iterator

from bench.checks.base import Contents, Entry, Finding

CODE = "E111"
NAME = "unique_source_ids"
REMEDY = "Remove the repeated entry, or give it an id of its own."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield every line but the first of an id."""
    first: dict[str, Entry] = {}
    for entry in contents.entries:
        before = first.setdefault(entry.head.source_id, entry)
        if before is not entry:
            yield entry.finding(
                CODE, f"{entry.head.source_id} is also at {before.path}:{before.line}", "each source_id once"
            )
