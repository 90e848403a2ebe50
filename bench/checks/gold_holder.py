"""Every gold source belongs to the holder who asks."""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding

CODE = "E123"
NAME = "gold_holder"
REMEDY = "Correct scope.holder, or the entry's holder."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield each gold source of another holder."""
    for query in contents.queries:
        asks = query.annotation.scope.holder
        for gold, entry in contents.evidence(query.annotation):
            if entry.head.holder != asks:
                yield query.finding(CODE, f"{gold.source_id} of {entry.head.holder}", f"a source of {asks}")
