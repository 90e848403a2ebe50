"""Reading votes from JSON Lines or CSV, in the form of bench/schema/votes.schema.json; all faults are said at once.

CSV has a header of the schema's names. A cell of `labels` has them between semicolons, and `[]` where none applies; an
empty timestamp or note is none. A byte order mark, as spreadsheets write it, is read over. All votes of a file have one
form, `label` or `labels`. A line whose label is `skip` is no vote.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.agreement.declare import MISSING, Declaration
from bench.agreement.votes import SKIP, Labels, Vote, Votes, label_text
from bench.errors import BenchError
from bench.jsonl import parse_strict
from bench.schema import problems, schema

_SHOWN = 100


class Line(NamedTuple):
    """A row of the file, from line `number`; `fault` says why it could not be read."""

    number: int
    row: Any
    fault: str | None = None


class _Faults:
    """Faults as they come, each with its file and line."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._found: list[str] = []

    def add(self, line: int, fault: str) -> None:
        self._found.append(f"{self._name}:{line} {fault}")

    def raise_any(self) -> None:
        """BenchError that lists them, where there are any."""
        if not self._found:
            return
        hidden = len(self._found) - _SHOWN
        more = [f"... and {hidden:,} more"] if hidden > 0 else []
        raise BenchError(f"{len(self._found):,} faults in the votes:\n" + "\n".join(self._found[:_SHOWN] + more))


def read_votes(path: Path, declared: Declaration) -> Votes:
    """The votes at `path`. BenchError that lists every fault of the file as `file:line what is wrong`."""
    categories = [label_text(category) for category in declared.categories]
    places = {category: place for place, category in enumerate(categories)}
    faults = _Faults(path.as_posix())
    votes: list[Vote] = []
    skipped: list[str] = []
    seen: dict[tuple[str, str], int] = {}
    form = ""
    for line in _lines(path):
        found = [line.fault] if line.fault else _row_faults(line.row, places)
        for fault in found:
            faults.add(line.number, fault)
        if found:
            continue
        row = line.row
        voter = (row["item"], row["annotator"])
        if voter in seen:
            faults.add(
                line.number,
                f"annotator {voter[1]!r} votes on item {voter[0]!r} again, as in line {seen[voter]}: keep one of them",
            )
            continue
        seen[voter] = line.number
        labels = _labels(row)
        if labels == (SKIP,):
            skipped.append(row["item"])
            continue
        form = form or ("labels" if "labels" in row else "label")
        if form not in row:
            faults.add(line.number, f"has no {form}, as the votes before it: a file has either label or labels")
            continue
        votes.append(Vote(*voter, tuple(sorted(labels, key=places.__getitem__))))
    faults.raise_any()
    return Votes(votes, categories, declared.ordinal, form == "labels", skipped)


def _labels(row: dict[str, Any]) -> Labels:
    return tuple(label_text(label) for label in row["labels"]) if "labels" in row else (label_text(row["label"]),)


def _row_faults(row: Any, categories: dict[str, int]) -> list[str]:
    """What is wrong with a row: what people do most, in words; then the schema; then labels that are not declared."""
    if isinstance(row, dict) and "label" in row and "labels" in row:
        return ["has both label and labels; a vote has one of them"]
    if isinstance(row, dict) and "label" in row and _missing(row["label"], categories):
        return [
            f"label {row['label']!r} is blank or a missing value, no category; where there is no vote, write {SKIP}"
        ]
    if found := problems("votes", row):
        return found
    labels = _labels(row)
    if len(set(labels)) < len(labels):
        return [f"labels {list(labels)} name a category twice"]
    if labels == (SKIP,) and "label" in row:
        return []
    allowed = ", ".join(categories) + (f", or {SKIP}" if "label" in row else "")
    return [f"label {label!r} is not declared; allowed: {allowed}" for label in labels if label not in categories]


def _missing(label: object, categories: dict[str, int]) -> bool:
    if label is None:
        return True
    return isinstance(label, str) and label not in categories and label.strip().lower() in MISSING


def _lines(path: Path) -> Iterator[Line]:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BenchError(f"{path} is missing: name a votes file, .jsonl or .csv") from None
    if path.suffix == ".csv":
        yield from _csv_lines(path, data)
    elif path.suffix == ".jsonl":
        yield from _json_lines(data)
    else:
        raise BenchError(f"{path}: a votes file ends in .jsonl or .csv")


def _json_lines(data: bytes) -> Iterator[Line]:
    for number, text in enumerate(data.splitlines(), 1):
        if not text.strip():
            yield Line(number, None, "is blank; remove it")
            continue
        try:
            yield Line(number, parse_strict(text))
        except ValueError as error:
            yield Line(number, None, f"is not strict JSON: {error}")


def _csv_lines(path: Path, data: bytes) -> Iterator[Line]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BenchError(f"{path} is not UTF-8: {error}; save it as `CSV UTF-8`") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: Sequence[str] | None = None
    start = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield Line(start, None, f"is no CSV: {error}")
            return
        if cells is None:
            return
        if header is None:
            header = _header(path, cells)
        elif len(cells) != len(header):
            yield Line(start, None, f"has {len(cells)} cells; the header has {len(header)}")
        else:
            yield Line(start, _row(dict(zip(header, cells, strict=True))))
        start = reader.line_num + 1


def _header(path: Path, cells: Sequence[str]) -> Sequence[str]:
    allowed = list(schema("votes")["properties"])
    if unknown := [cell for cell in cells if cell not in allowed]:
        raise BenchError(f"{path}:1 has column {unknown[0]!r}; allowed: {', '.join(allowed)}")
    if twice := [cell for cell in cells if cells.count(cell) > 1]:
        raise BenchError(f"{path}:1 has column {twice[0]!r} twice")
    if not {"item", "annotator"} <= set(cells) or len({"label", "labels"} & set(cells)) != 1:
        raise BenchError(f"{path}:1 needs the columns item, annotator, and either label or labels")
    return cells


def _row(cells: dict[str, str]) -> dict[str, Any]:
    row: dict[str, Any] = {
        name: cell for name, cell in cells.items() if cell or name in ("item", "annotator", "label", "labels")
    }
    labels = row.get("labels")
    if labels == SKIP or (labels is not None and not labels.strip()):
        del row["labels"]
        row["label"] = labels
    elif labels is not None:
        row["labels"] = [] if labels == "[]" else [label.strip() for label in labels.split(";")]
    return row
