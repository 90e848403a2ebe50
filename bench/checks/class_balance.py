"""No scenario or dataset among several makes up more than `validate.max_share` of a modality's queries."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from bench.checks.base import Contents, Finding

CODE = "W160"
NAME = "class_balance"
REMEDY = "Read that modality's score as one of this scenario or dataset, or add others."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield each scenario and dataset that outweighs the rest of its modality."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for query in contents.queries:
        annotation = query.annotation
        counts[annotation.modality, "scenario"][annotation.scope.scenario] += 1
        counts[annotation.modality, "dataset"][annotation.origin.dataset] += 1
    most = contents.limits.max_share
    for (modality, kind), counted in sorted(counts.items()):
        total = counted.total()
        for name, count in sorted(counted.items()):
            if len(counted) > 1 and count > most * total:
                found = f"{count} of {total} queries are of {kind} {name} ({count / total:.1%})"
                yield Finding(CODE, f"sets/{modality}.jsonl", 0, "", found, f"at most {most:.1%}")
