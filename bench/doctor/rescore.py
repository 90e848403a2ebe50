"""The scores, computed anew from the data at hand, against those in metrics/."""

from collections.abc import Iterator

from bench.jsonl import read_document
from bench.manifest import textless as textless_of
from bench.score.run import read_corpus, read_queries, score_run
from bench.score.runs import Run
from bench.suite import Suite


def scores_are_of_the_runs(suite: Suite) -> Iterator[str]:
    """A sentence a system whose scores.json is not what this scorer makes of these runs, sets and corpora."""
    queries, corpus, textless = read_queries(suite), read_corpus(suite), textless_of(suite)
    for system in suite.params["retrieve"]["systems"]:
        scores = score_run(Run(suite.runs / system, system), queries, corpus, suite.splits, textless)
        path = suite.metrics / system / "scores.json"
        if read_document(path) != scores.document:
            yield f"{suite.show(path)} is not what scoring {suite.show(suite.runs / system)} gives"
