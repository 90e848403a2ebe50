"""What a long command says while it works: on stderr, and a bar only where that is a terminal."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID


class Progress:
    """Files done and bytes received, over a bar of rich. `stop`, when set, ends transfers early."""

    def __init__(self, bar: "Bar", task: "TaskID") -> None:
        self._bar = bar
        self._task = task
        self._bytes = 0
        self._lock = threading.Lock()
        self.stop = threading.Event()

    def say(self, notice: str) -> None:
        """Tell what a person should know though it is no error."""
        self._bar.console.print(notice, markup=False, highlight=False, soft_wrap=True)

    def received(self, count: int) -> None:
        """Count bytes that arrived."""
        with self._lock:
            self._bytes += count
        self._bar.update(self._task, megabytes=f"{self._bytes / 1e6:,.1f}")

    def done(self, count: int) -> None:
        """Count files that are whole and right."""
        self._bar.advance(self._task, count)


@contextmanager
def shown(title: str, files: int) -> Iterator[Progress]:
    """A progress over `files` files."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    received = TextColumn("{task.fields[megabytes]} MB received")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), received, TimeElapsedColumn())
    with Bar(*columns, console=console, disable=not console.is_terminal) as bar:
        yield Progress(bar, bar.add_task(title, total=files, megabytes="0.0"))
