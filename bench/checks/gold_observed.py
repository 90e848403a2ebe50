"""Every gold source was observed by the moment of asking: observed_at <= as_of."""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding

CODE = "E125"
NAME = "gold_observed"
REMEDY = "Correct as_of or observed_at: nobody can be asked for what was not there yet."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield each gold source that was observed after as_of."""
    for query in contents.queries:
        as_of = query.annotation.as_of
        for gold, entry in contents.evidence(query.annotation):
            if entry.head.observed_at > as_of:
                yield query.finding(
                    CODE, f"{gold.source_id} was observed at {entry.head.observed_at}", f"at {as_of} (as_of) or before"
                )
