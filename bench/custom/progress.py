"""How far a long command is: a bar on stderr, over bytes or queries, only where that is a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager

from bench.custom.lines import Advance

_STEPS = 500


@contextmanager
def advancing(title: str, total: int) -> Iterator[Advance]:
    """A function to call with what was done since the last call; calls are cheap."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda count: None
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(title, total=total)
        done = drawn = 0

        def advance(count: int) -> None:
            nonlocal done, drawn
            done += count
            if done - drawn >= total / _STEPS:
                drawn = done
                bar.update(task, completed=done)

        yield advance
