"""`bench sources`: the registry as a table, as tab-separated lines, or as JSON."""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from bench.jsonl import encode
from bench.registry import Source


class Row(NamedTuple):
    """A source in the table. `bytes` is None while it is not known of every file."""

    name: str
    modality: str
    files: int
    bytes: int | None
    licence: str
    redistribute: bool
    annotation: str
    pinned: bool


def row(source: Source) -> Row:
    """The table's row of a source."""
    return Row(
        source.name,
        source.modality,
        len(source.files),
        sum(file.bytes or 0 for file in source.files) if source.pinned else None,
        source.licence.spdx,
        source.licence.redistribute,
        source.annotation_source.kind,
        source.pinned,
    )


def show(sources: Sequence[Source], as_json: bool) -> None:
    """Print the sources to stdout: a table where that is a terminal, else tab-separated with a header."""
    rows = [row(source) for source in sources]
    if as_json:
        print(encode([item._asdict() for item in rows]).decode())
    elif sys.stdout.isatty():
        _print_table(rows)
    else:
        for line in (Row._fields, *map(_cells, rows)):
            print("\t".join(line))


def _print_table(rows: Sequence[Row]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(*Row._fields, caption=f"{len(rows)} sources", box=None, pad_edge=False)
    table.columns[0].no_wrap = True
    for number in (2, 3):
        table.columns[number].justify = "right"
    for item in rows:
        table.add_row(*_cells(item))
    Console().print(table)


def _cells(item: Row) -> list[str]:
    return [_cell(value) for value in item]


def _cell(value: object) -> str:
    words: dict[object, str] = {True: "yes", False: "no", None: "unknown"}
    return words[value] if value is None or isinstance(value, bool) else str(value)
