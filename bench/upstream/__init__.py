"""One adapter a dataset: upstream bytes -> documents and questions, with every row accounted for.

An adapter is a module here, named as the `adapter` of its registry entry, with:

    SCENARIOS   the scenarios that its questions may carry
    ASSIGNED    which of holder, observed_at, as_of upstream does not state, so that the suite assigns them
    read(raw)   a generator of the records in `bench.upstream.base`

It states in its docstring what is a source, a unit, a query and the gold; how holder, session, observed_at, as_of and
scenario follow; what marks unanswerable; and which rows are kept out and why.
"""

from importlib import import_module
from types import ModuleType

from bench.errors import BenchError


def adapter(name: str) -> ModuleType:
    """The adapter module `name`. BenchError where there is none."""
    try:
        return import_module(f"bench.upstream.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"bench.upstream.{name}":
            raise
        raise BenchError(f"adapter {name!r} has no bench/upstream/{name}.py") from None
