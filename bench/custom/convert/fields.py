"""From a source's own names and types to those of the three files."""

from typing import Any

from bench.custom.convert.options import FIELDS, OPTIONAL, Options
from bench.custom.convert.reading import Reading, Row
from bench.custom.findings import shown
from bench.custom.rows import number
from bench.errors import BenchError

# What a source may call a field without being told by --map: its own name, and those of MTEB and of TREC.
_NAMES = {
    ("corpus", "_id"): ("_id", "id", "docno"),
    ("queries", "_id"): ("_id", "id", "num"),
}
_TOPIC_TEXT = ("title",)


def names(options: Options, role: str, field: str) -> tuple[str, ...]:
    """The columns that a field may be taken from, the first that is there."""
    if mapped := options.mapped.get((role, field)):
        return (mapped,)
    return _NAMES.get((role, field), (field,))


def needed(role: str) -> list[str]:
    """The fields without which there is no row."""
    return [field for field in FIELDS[role] if field not in OPTIONAL]


class Taker:
    """Takes the fields of one file's rows, and keeps the account of it. Topics have their question in <title>."""

    def __init__(self, reading: Reading, options: Options, topics: bool) -> None:
        self._reading = reading
        self._names = {field: names(options, reading.source.role, field) for field in FIELDS[reading.source.role]}
        if topics and ("queries", "text") not in options.mapped:
            self._names["text"] = _TOPIC_TEXT
        self._mapped = {field for role, field in options.mapped if role == reading.source.role}

    def id(self, row: Row, field: str) -> str:
        """An id as text; a whole number becomes its digits. BenchError on anything else."""
        value = self._value(row, field)
        if isinstance(value, int) and not isinstance(value, bool):
            self._reading.notes[f"{field}: numbers written as text"] += 1
            value = str(value)
        if not isinstance(value, str):
            raise BenchError(f"{row.place}: {field} is {shown(value)}; allowed: a string, or a whole number")
        return value

    def text(self, row: Row, field: str) -> str:
        """A text. BenchError where it is none; an optional one that is null or not there is empty."""
        value = self._value(row, field)
        if value is None and field in OPTIONAL:
            return ""
        if not isinstance(value, str):
            raise BenchError(f"{row.place}: {field} is {shown(value)}; allowed: a string")
        return value

    def score(self, row: Row) -> float:
        """A score, which is never cut. BenchError where it is no finite number."""
        value = self._value(row, "score")
        score = number(value) if isinstance(value, str) else value
        if isinstance(score, bool) or not isinstance(score, int | float) or not abs(score) < float("inf"):
            raise BenchError(f"{row.place}: score is {shown(value)}; allowed: a finite number")
        return score

    def check_mapped(self) -> None:
        """BenchError where a column of --map never occurred."""
        for field in sorted(self._mapped):
            if field not in self._reading.taken:
                source = self._reading.source
                raise BenchError(
                    f"--map {source.role}.{field}={self._names[field][0]}: {source.path} has no such column; it has "
                    f"{', '.join(self._reading.columns) or 'no rows'}"
                )

    def _value(self, row: Row, field: str) -> Any:
        for name in self._names[field]:
            if name in row.values:
                self._reading.taken[field] = name
                return row.values[name]
        if field in OPTIONAL:
            return None
        raise BenchError(
            f"{row.place}: no {field} among {', '.join(row.values)}; name its column with "
            f"--map {self._reading.source.role}.{field}=COLUMN"
        )
