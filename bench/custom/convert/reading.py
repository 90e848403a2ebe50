"""How a file was read: what is printed, so that nothing is guessed in silence."""

import codecs
import io
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from bench.custom.convert.options import Source
from bench.custom.lines import Advance
from bench.errors import BenchError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Row(NamedTuple):
    """A row of a source under its own names. `place` is where it stands, in words."""

    place: str
    values: dict[str, Any]


@dataclass
class Reading:
    """The account of one file.

    how      format, encoding, delimiter and quoting, as they were found
    taken    {field: column}
    columns  all columns that occurred
    notes    what was done to values, and how often
    """

    source: Source
    how: list[str] = field(default_factory=list)
    taken: dict[str, str] = field(default_factory=dict)
    columns: dict[str, None] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    rows: int = 0

    def document(self) -> dict[str, Any]:
        """The account as JSON."""
        return {
            "role": self.source.role,
            "split": self.source.split or None,
            "file": str(self.source.path),
            "how": self.how,
            "taken": self.taken,
            "left_out": self.left_out(),
            "notes": dict(self.notes),
            "rows": self.rows,
        }

    def left_out(self) -> list[str]:
        """The columns that no field was taken from."""
        return [column for column in self.columns if column not in self.taken.values()]


@contextmanager
def opened(reading: Reading, encoding: str | None, advance: Advance) -> Iterator[TextIO]:
    """A text file with its line ends as they are. BenchError, naming the line, on bytes that are not of its encoding.

    The encoding is the one given, that of a byte order mark, or UTF-8.
    """
    path = reading.source.path
    codec = encoding or _by_mark(path)
    reading.how.append(codec + (", as given" if encoding else ", by its byte order mark" if codec != "utf-8" else ""))
    with io.TextIOWrapper(io.BufferedReader(_Counted(path, advance)), encoding=codec, newline="") as file:
        try:
            yield file
        except UnicodeError:
            raise BenchError(
                f"{path}{_first_undecodable(path, codec)} is not {codec}; name the file's encoding with --encoding, "
                "as in --encoding cp1252"
            ) from None


class _Counted(io.FileIO):
    """A file that says how much of it was read."""

    def __init__(self, path: Path, advance: Advance) -> None:
        super().__init__(path)
        self._advance = advance

    def readinto(self, buffer: Any) -> int:
        count = super().readinto(buffer) or 0
        self._advance(count)
        return count


def _by_mark(path: Path) -> str:
    with path.open("rb") as file:
        head = file.read(4)
    return next((codec for mark, codec in _BOMS if head.startswith(mark)), "utf-8")


def _first_undecodable(path: Path, codec: str) -> str:
    """`:line` of the first line that is not of an encoding whose lines can be cut as bytes; else nothing."""
    if codec.startswith(("utf-16", "utf-32")):
        return ""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode(codec)
            except UnicodeError:
                return f":{number}"
    return ""
