"""The share of unanswerable queries in the suite is at least `validate.min_unanswerable_share`.

Lines that another check refused count as far as they say what they are.
"""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding
from bench.checks.minimum_counts import classes

CODE = "E150"
NAME = "unanswerable_share"
REMEDY = "Add unanswerable queries (twins in params.yaml): without them a system that always answers looks right."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield one finding on the sets where the share is too small; none where there are no queries at all."""
    counts = [classes(contents, modality) for modality in contents.modalities]
    unanswerable = sum(count.unanswerable for count in counts)
    total = unanswerable + sum(count.answerable for count in counts)
    least = contents.limits.min_unanswerable_share
    if total and unanswerable < least * total:
        found = f"{unanswerable} of {total} queries are unanswerable ({unanswerable / total:.1%})"
        yield Finding(CODE, "sets", 0, "", found, f"at least {least:.1%}")
