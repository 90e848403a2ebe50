"""Validate: every check on a suite's manifest, sets and corpus, all findings at once."""

import _interpreter  # noqa: F401  says so where the wrong Python runs this

# isort: split
import sys

from bench.options import STARTER, SuiteDirectory, run
from bench.suite import Suite
from bench.validate import report, validate


def main(suite: SuiteDirectory = STARTER) -> None:
    """Check SUITE/corpus and SUITE/sets, and write SUITE/validation.json. Exits 1 on any error.

    Prints `CODE path:line query_id what was found; allowed: what is`. Warnings are counted and do not fail. The codes
    are explained in docs/checks.md.
    """
    loaded = Suite(suite)
    validation = validate(loaded)
    for line in report(loaded, validation):
        print(line)
    if validation.errors:
        sys.exit(1)


if __name__ == "__main__":
    run(main)
