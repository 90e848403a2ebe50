"""Ways to break the small suite, and running the checks over it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from small_suite import Files, Row, valid

from bench.jsonl import encode
from bench.validate import Validation, validate

Break = Callable[[Files], None]


def row(line: int, change: Callable[[Row], Any], modality: str = "pdf") -> Break:
    """Change the annotation at `line`; bytes that `change` returns stand in its place."""

    def apply(files: Files) -> None:
        rows = files.sets[modality]
        rows[line - 1] = change(rows[line - 1]) or rows[line - 1]

    return apply


def entry(line: int, change: Callable[[Row], Any]) -> Break:
    """Change the corpus entry at `line`; bytes that `change` returns stand in its place."""

    def apply(files: Files) -> None:
        rows = files.corpus["pdf"]
        rows[line - 1] = change(rows[line - 1]) or rows[line - 1]

    return apply


def region(value: Any) -> Callable[[Row], None]:
    return lambda annotation: annotation["gold"][0].update(region=value)


def scope(**fields: Any) -> Callable[[Row], None]:
    return lambda annotation: annotation["scope"].update(fields)


def origin(**fields: Any) -> Callable[[Row], None]:
    return lambda annotation: annotation["origin"].update(fields)


def set_to(**fields: Any) -> Callable[[Row], None]:
    return lambda record: record.update(fields)


def text(old: str, new: str) -> Callable[[Row], bytes]:
    """The line with other bytes than its canonical ones."""
    return lambda record: encode(record).replace(old.encode(), new.encode()) + b"\n"


def param(**values: Any) -> Break:
    return lambda files: files.params["validate"].update(values)


def run(folder: Path, *faults: Break) -> Validation:
    files = valid()
    for fault in faults:
        fault(files)
    return validate(files.write(folder))


def places(validation: Validation) -> list[tuple[str, str, int]]:
    return [(finding.code, finding.path, finding.line) for finding in validation.errors + validation.warnings]
