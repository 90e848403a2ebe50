"""Spans of a video, in seconds from its start: what makes one unusable."""

import math


def span_fault(start: float, end: float, duration: float = math.inf) -> str | None:
    """The reason code of a span that cannot be gold or a unit; None where 0 <= start < end <= duration."""
    if start < 0:
        return "negative_start"
    if start > end:
        return "reversed_span"
    if start == end:
        return "empty_span"
    if end > duration:
        return "beyond_duration"
    return None
