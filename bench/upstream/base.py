"""What adapters yield, and the ways of reading that several of them share.

Rows in = kept + excluded is checked against `Rows`, which an adapter counts from the file itself before it decides
anything: per kind, `question` or `document`, rows == records yielded + rows excluded; for `caption`, where an upstream
lists the units of its documents as rows, rows == units yielded + rows excluded.
"""

import ast
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.errors import BenchError
from bench.records import Gold, Region


class Raw(NamedTuple):
    """The fetched files of one source, and the options under which the suite reads them."""

    directory: Path
    dataset: str
    revision: str
    options: dict[str, Any]

    def path(self, name: str) -> Path:
        """The file `name`. BenchError where the source has no such file."""
        path = self.directory / name
        if not path.is_file():
            raise BenchError(
                f"{self.dataset}: {name} is missing in {self.directory.name}; its registry entry must list it"
            )
        return path

    def json(self, name: str) -> Any:
        """The file `name` as JSON. BenchError where it is not JSON."""
        try:
            return json.loads(self.path(name).read_bytes())
        except ValueError as error:
            raise BenchError(f"{self.dataset}: {name} is not JSON: {error}") from None


class Rows(NamedTuple):
    """How many rows of `kind` a file holds, counted before any is kept or left out."""

    kind: str
    total: int


class Document(NamedTuple):
    """A source. `holder` and `observed_at` are None where upstream states none: the suite then assigns them."""

    source_id: str
    title: str
    extent: dict[str, Any]
    units: Sequence[tuple[Region, str]]
    holder: str | None = None
    observed_at: str | None = None


class Question(NamedTuple):
    """A query. `item` finds its upstream row; `about` is the middle of its query_id.

    `holder` None: the holder of its gold sources. `as_of` None: the end of the assigned year.
    """

    item: str
    about: str
    question: str
    answer: Any
    answer_format: str
    gold: Sequence[Gold]
    scenario: str
    session: str | None = None
    holder: str | None = None
    as_of: str | None = None
    unanswerable: bool = False


class Excluded(NamedTuple):
    """A row left out, of `kind` question or document. `reason` is a snake_case code, `detail` the raw value."""

    kind: str
    item: str
    reason: str
    detail: str = ""


class Resolved(NamedTuple):
    """A row kept with another value than upstream's, by a rule of the adapter: `raw` became `value`."""

    item: str
    rule: str
    field: str
    raw: Any
    value: Any


Record = Rows | Document | Question | Excluded | Resolved


_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def typed_answer(item: str, raw: object, answer_format: str) -> tuple[Any, str, Resolved | None]:
    """The answer in its declared format: (answer, answer_format, what was resolved or None).

    A number or list that upstream writes as text becomes one where it parses. Where it does not (`85%`, `$1,200`, a
    list without brackets), the text stays, as `str`: nothing is guessed from units or separators.
    """
    if not isinstance(raw, str) or answer_format not in ("int", "float", "list"):
        return raw, answer_format, None
    text = raw.strip()
    if answer_format == "int" and _INTEGER.fullmatch(text):
        return int(text), "int", None
    if answer_format == "float" and _NUMBER.fullmatch(text) and math.isfinite(float(text)):
        return float(text), "float", None
    if answer_format == "list" and (values := literal_list(text)) is not None:
        return values, "list", None
    return raw, "str", Resolved(item, "answer_not_in_its_format", "answer_format", answer_format, "str")


def literal_list(text: str) -> list[Any] | None:
    """A list that upstream wrote as text, as JSON or as a Python literal (never evaluated); None where it is none."""
    for parse in (json.loads, ast.literal_eval):
        try:
            value = parse(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        return value if isinstance(value, list) else None
    return None
