"""as_of and observed_at are moments in UTC to the second, in the form `2025-03-01T09:00:00Z`.

The schema takes any RFC 3339 date-time with a zone. The scorer compares texts, whose order is that of time in this one
form only.
"""

from collections.abc import Iterator
from functools import lru_cache

from bench.checks.base import Finding, Line
from bench.times import canonical

CODE = "E105"
NAME = "canonical_times"
REMEDY = "Write the moment in UTC, without fractions of a second."

_FIELD = {"annotation": "as_of", "corpus": "observed_at"}


@lru_cache(maxsize=65536)
def _canonical(text: str) -> str:
    """The one form of a moment; empty where it is none."""
    try:
        return canonical(text)
    except (ValueError, OverflowError):
        return ""


def check(line: Line) -> Iterator[Finding]:
    """Yield a well-formed line whose moment is in another form, or does not exist."""
    if line.fault or line.problems:
        return
    field = _FIELD[line.kind]
    written = line.value[field]
    wanted = _canonical(written)
    if written != wanted:
        yield line.finding(CODE, f"{field} {written}", wanted or "a moment that exists, like 2025-03-01T09:00:00Z")
