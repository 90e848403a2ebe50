"""Tables for people, on stdout."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.records import MODALITIES

_WIDTH_WITHOUT_TERMINAL = 140


def console() -> Console:
    """A console that does not squeeze tables into 80 columns when its output is piped."""
    return Console() if sys.stdout.isatty() else Console(width=_WIDTH_WITHOUT_TERMINAL)


def modalities(document: Mapping[str, Any]) -> Iterable[str]:
    """`all` and the modalities that are keys of `document`, in their order."""
    return [name for name in ("all", *MODALITIES) if name in document]


def table(first: str, *columns: str, left: Iterable[str] = (), title: str | None = None) -> Table:
    """A table without lines: numbers to the right, the first column and those of `left` to the left."""
    made = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    made.add_column(first, no_wrap=True)
    for column in columns:
        made.add_column(column, justify="left" if column in left else "right", overflow="fold")
    return made
