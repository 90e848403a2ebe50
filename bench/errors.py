"""The one exception that users see: what is wrong, where, what is allowed, what to do."""

import sys
from collections.abc import Callable
from functools import wraps
from typing import NoReturn, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class BenchError(Exception):
    """A user's mistake or a fault in data. Its text is shown as it is, without a traceback."""


class CannotCompare(BenchError):
    """A comparison that cannot be made; never read as a pass (exit code 2)."""


def stop(error: BenchError) -> NoReturn:
    """Print `error` to stderr and end the process: 2 where nothing can be compared, else 1."""
    print(f"error: {error}", file=sys.stderr)
    sys.exit(2 if isinstance(error, CannotCompare) else 1)


def plain_errors(command: Callable[P, R]) -> Callable[P, R]:
    """Make `command` (a typer command) end with a sentence where it raises BenchError."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return command(*args, **kwargs)
        except BenchError as error:
            stop(error)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            stop(BenchError(f"{where}{error.strerror or error}; nothing half-written is left under a final name"))
        except KeyboardInterrupt:
            print("interrupted; nothing half-written is left under a final name", file=sys.stderr)
            sys.exit(130)

    return run
