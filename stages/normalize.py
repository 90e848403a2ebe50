"""Normalize: upstream rows into sets and corpora, with every row accounted for."""

import _interpreter  # noqa: F401  says so where the wrong Python runs this

# isort: split
from bench.normalize.report import print_dataset
from bench.normalize.run import normalize
from bench.options import STARTER, SuiteDirectory, run
from bench.suite import Suite


def main(suite: SuiteDirectory = STARTER) -> None:
    """Turn raw rows into SUITE/sets/<modality>.jsonl and SUITE/corpus/<modality>.jsonl.

    What is left out stands in sets/excluded.jsonl with a reason, what is resolved by a rule in sets/resolved.jsonl with
    the raw value. Rows in = kept + excluded, per source, or the stage fails.
    """
    print_dataset(normalize(Suite(suite)))


if __name__ == "__main__":
    run(main)
