"""Pieces of Markdown: tables and folds, and the block that takes rows while there is room and counts the rest."""

from collections.abc import Iterable, Sequence

from bench.diff.escape import plain

# The order in which blocks get their rows where not all fit.
RESULTS, CAUSES, BY_MODALITY, LABELS, FLIPS, ALL_ROWS = range(6)
WHOLE = "the report of this run holds all of them, and so does `bench diff --json`"
CLOSING = ("", "</details>")
# A line under a value that is no longer than this is not broken.
_LONGEST_LINE = 40


class Block:
    """`head` and `tail` enclose its rows and are left out where it has none. `name` says what a row is.

    Until rows are taken it has none. `beyond` is how many more there are than `rows` lists. `whole`: all rows or none.
    """

    def __init__(
        self,
        priority: int,
        name: str,
        head: Sequence[str],
        rows: Sequence[str],
        tail: Sequence[str] = (),
        beyond: int = 0,
        whole: bool = False,
    ) -> None:
        self.priority = priority
        self.name = name
        self.head = list(head)
        self.rows = list(rows)
        self.tail = list(tail)
        self.beyond = beyond
        self.step = len(self.rows) if whole else 1
        self.taken = 0

    def take(self, room: int) -> int | None:
        """Take one more row, or the whole; by how much longer the text is. None, and none taken, where over `room`."""
        if self.taken == len(self.rows):
            return None
        before = len(str(self))
        self.taken += self.step
        grown = len(str(self)) - before
        if grown > room:
            self.taken -= self.step
            return None
        return grown

    def __str__(self) -> str:
        """The rows taken, enclosed, and how many more there are; empty where there is nothing to say."""
        shown = [*self.head, *self.rows[: self.taken], *self.tail] if self.taken else []
        rest = len(self.rows) - self.taken + self.beyond
        if not rest:
            return "\n".join(shown)
        cut = f"_{rest:,} {'more ' if self.taken else ''}{self.name}: {WHOLE}._"
        return "\n".join([*shown, "", cut] if shown else [cut])


def opening(summary: str) -> list[str]:
    """The lines that begin a fold; CLOSING ends it."""
    return ["<details>", f"<summary>{plain(summary)}</summary>", ""]


def header(*columns: str, right: Iterable[int] = ()) -> list[str]:
    """The first two lines of a table; the columns of these indices stand to the right."""
    numbers = set(right)
    return [line(*columns), line(*("---:" if index in numbers else "---" for index in range(len(columns))))]


def line(*cells: str) -> str:
    """A line of a table. The cells are Markdown."""
    return f"| {' | '.join(cells)} |"


def stacked(above: str, below: str) -> str:
    """Two lines in one cell."""
    return "<br>".join(filter(None, (above, together(below) if len(below) < _LONGEST_LINE else below)))


def together(text: str) -> str:
    """Markdown text without places to break the line at."""
    return text.replace(" ", "&nbsp;")


def counted(items: Sequence[object], what: str) -> str:
    """`3 changed rows`."""
    return f"{len(items):,} {what}{'' if len(items) == 1 else 's'}"
