"""Showing an evaluation: a line a measure with value, numerator, denominator and n; or one JSON document."""

from bench.jsonl import encode
from bench.rankings.evaluate import Evaluation


def show(evaluation: Evaluation, as_json: bool) -> None:
    """Print to stdout."""
    if as_json:
        print(encode(evaluation._asdict()).decode())
        return
    for key, made in evaluation.measures.items():
        print(f"{key:<10} {made['value']:.4f}  {made['of']}")
    counts = evaluation.counts
    print(
        f"\n{counts['n_queries']} judged queries, each in every denominator: "
        f"{counts['n_missing']} are missing from the run,\n"
        f"and {counts['n_without_relevant']} have no relevant document: both count as 0.\n"
        f"{counts['hits']} hits of judged queries; {counts['n_unknown']} queries of the run are not judged: left out."
    )
