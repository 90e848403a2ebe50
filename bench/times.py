"""Moments: RFC 3339 with a zone, kept in UTC to the second as `2023-05-08T13:56:00Z`.

In that one form, text order is time order, so records compare as strings.
"""

import re
from datetime import UTC, datetime, timedelta

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


def parse(text: str) -> datetime:
    """The UTC moment of an RFC 3339 text. ValueError where it is none, or names no zone."""
    if not _RFC3339.fullmatch(text):
        raise ValueError(f"{text!r} is not an RFC 3339 date-time with a zone, like 2025-03-01T09:00:00Z")
    return datetime.fromisoformat(text.upper()).astimezone(UTC)


def render(moment: datetime) -> str:
    """`moment` in the canonical form. Fractions of a second are cut, never rounded into the future."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def canonical(text: str) -> str:
    """Any RFC 3339 text in the canonical form."""
    return render(parse(text))


def shift(text: str, **delta: float) -> str:
    """`text` moved by a timedelta's arguments: shift(t, seconds=-1)."""
    return render(parse(text) + timedelta(**delta))
