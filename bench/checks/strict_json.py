"""Every line is one strict JSON value.

Refused are NaN and Infinity, a key that stands twice in one object, a byte order mark, bad UTF-8, lone surrogates,
blank lines, and a last line that was cut short.
"""

from collections.abc import Iterator

from bench.checks.base import Finding, Line

CODE = "E101"
NAME = "strict_json"
REMEDY = "Correct the line, or run the stage that writes the file again."


def check(line: Line) -> Iterator[Finding]:
    """Yield the line's fault, if it has one."""
    if line.fault:
        yield line.finding(CODE, line.fault, "one strict JSON object a line")
