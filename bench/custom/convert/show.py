"""Printing a conversion: how each source was read, what was written, and what to look at."""

import sys
from collections.abc import Iterator
from pathlib import Path

from bench.custom.convert.reading import Reading
from bench.custom.convert.run import Conversion
from bench.jsonl import encode


def show(conversion: Conversion, out: Path, as_json: bool) -> None:
    """Print the account to stdout, and hints to stderr."""
    if as_json:
        sources = [reading.document() for reading in conversion.readings]
        print(encode({"sources": sources, "written": conversion.written, "hints": conversion.hints}).decode())
    else:
        for line in lines(conversion, out):
            print(line)
    for hint in conversion.hints:
        print(f"look: {hint}", file=sys.stderr)


def lines(conversion: Conversion, out: Path) -> Iterator[str]:
    """The lines that are printed."""
    for reading in conversion.readings:
        source = reading.source
        role = f"{source.role}:{source.split}" if source.split else source.role
        yield f"{role} from {source.path}: {'; '.join(reading.how)}; {reading.rows:,} rows"
        yield f"  {', '.join(_details(reading))}"
    for name, rows in conversion.written.items():
        yield f"{out / name}: {rows:,} rows"
    yield f"next: bench custom check {out}"


def _details(reading: Reading) -> Iterator[str]:
    yield ", ".join(f"{field} from {column}" for field, column in reading.taken.items()) or "no rows"
    if left := reading.left_out():
        yield f"left out: {' '.join(left)}"
    for note, count in reading.notes.items():
        yield f"{note}: {count:,}"
