"""What the command lines of the stages share."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from bench.errors import plain_errors

SuiteDirectory = Annotated[Path, typer.Option("--suite", help="The suite: bench (the starter), or suites/third-party.")]
STARTER = Path("bench")


def run(command: Callable[..., Any]) -> None:
    """Run `command` as a script: a user's mistake ends in a sentence, only a fault of ours in a traceback."""
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(plain_errors(command))
    app()
