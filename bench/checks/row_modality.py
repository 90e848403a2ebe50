"""A line's modality is the one that its file is named after."""

from collections.abc import Iterator

from bench.checks.base import Finding, Line

CODE = "E104"
NAME = "row_modality"
REMEDY = "Move the line to the file of its modality, or correct the modality."


def check(line: Line) -> Iterator[Finding]:
    """Yield a line that is well-formed and in the wrong file."""
    if not line.fault and not line.problems and line.value["modality"] != line.modality:
        yield line.finding(CODE, f"modality {line.value['modality']}", f"{line.modality}, as the file is named")
