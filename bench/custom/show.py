"""Printing an evaluation: a table of values, intervals and fractions for each split, or one JSON document."""

import sys

from bench.custom.check import Report
from bench.custom.evaluate import DEPTH, Outcome
from bench.custom.report import lines
from bench.custom.results import RESULT
from bench.jsonl import encode


def show(outcome: Outcome, as_json: bool) -> None:
    """Print to stdout; what is not the result goes to stderr."""
    if outcome.reused:
        say("kept result, of the same data, settings and code; --overwrite computes it anew")
    elif outcome.changed:
        say(f"an earlier result is replaced: {', '.join(outcome.changed)} changed")
    for warning in outcome.result["warnings"]:
        say(warning)
    if found := outcome.result["check"]:
        names = ", ".join(f"{rule} {count:,}" for rule, count in found.items())
        say(f"the check warns: {names}; `bench custom check` says where")
    if as_json:
        print(encode(outcome.result).decode())
        return
    for name, measures in outcome.result["splits"].items():
        print(f"split {name}")
        print(f"{'measure':<10} {'value':>6}  {'95 % interval':<17}  numerator/denominator")
        for key, made in measures.items():
            interval = "{:.4f} to {:.4f}".format(*made["interval"]) if "interval" in made else "-"
            print(f"{key:<10} {made['value']:>6.4f}  {interval:<17}  {made['of']}")
    print(f"MRR is over the first {DEPTH} hits. n: queries with a hit; the others count as 0.")
    trec = outcome.result["trec"]
    print(f"results: {outcome.folder / RESULT}" + ("" if trec == "exported" else f"; no TREC run, because {trec}"))


def show_refused(report: Report) -> None:
    """Print why nothing is scored to stderr."""
    for line in lines(report):
        say(line)


def say(line: str) -> None:
    """To stderr."""
    print(line, file=sys.stderr)
