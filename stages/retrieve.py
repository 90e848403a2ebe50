"""Retrieve: the reference systems answer the queries."""

import _interpreter  # noqa: F401  says so where the wrong Python runs this

# isort: split
from bench.options import STARTER, SuiteDirectory, run
from bench.retrieve import retrieve
from bench.suite import Suite


def main(suite: SuiteDirectory = STARTER) -> None:
    """Let the systems of params (retrieve.systems) answer, into SUITE/runs/<system>/<modality>.jsonl.

    Only dev queries are read unless score.acceptance is on. Your own system replaces this stage by writing such files.
    """
    for system, answered in retrieve(Suite(suite)).items():
        counts = ", ".join(f"{modality} {number:,}" for modality, number in answered.items())
        print(f"retrieve: {system} answered {sum(answered.values()):,} queries ({counts})")


if __name__ == "__main__":
    run(main)
