"""Score: every run against its gold, with n and denominators."""

import _interpreter  # noqa: F401  says so where the wrong Python runs this

# isort: split
from bench.options import STARTER, SuiteDirectory, run
from bench.score.report import print_scores, print_warnings
from bench.score.run import score
from bench.suite import Suite


def main(suite: SuiteDirectory = STARTER) -> None:
    """Score SUITE/runs into the suite's metrics/<system>/scores.json and SUITE/scores/<system>/per_query.jsonl.

    The test split is scored only when score.acceptance is on. A warning names each source that does not discriminate.
    """
    loaded = Suite(suite)
    documents = score(loaded)
    print_scores(documents, loaded.params["score"])
    print_warnings(documents, loaded.params["score"])


if __name__ == "__main__":
    run(main)
