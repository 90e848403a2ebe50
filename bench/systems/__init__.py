"""Reference systems: they produce runs, so that every suite has a keyword line, a leaking line and a floor.

To add one: a module here with a class `System` (see `bench.systems.base`), and its name in `retrieve.systems`.
"""

from importlib import import_module
from typing import cast

from bench.errors import BenchError
from bench.systems.base import System

NAMES = ("bm25", "bm25_unscoped", "random")


def system(name: str) -> type[System]:
    """The class of the reference system `name`. BenchError where there is none."""
    if name not in NAMES:
        raise BenchError(f"retrieve.systems names {name!r}; the reference systems are {', '.join(NAMES)}")
    return cast(type[System], import_module(f"bench.systems.{name}").System)
