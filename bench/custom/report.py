"""Printing a check: findings, shares of judgements that lead nowhere, and the size of the data set."""

from collections import Counter
from collections.abc import Iterator

from bench.custom.check import Report
from bench.custom.findings import RULES
from bench.jsonl import encode

PRINTED = 20


def show(report: Report, as_json: bool, every: bool) -> None:
    """Print to stdout. Of each rule the first 20 findings, unless `every` is set."""
    if as_json:
        print(encode(report.document()).decode())
        return
    for line in lines(report, every):
        print(line)


def lines(report: Report, every: bool = False) -> Iterator[str]:
    """The lines that are printed."""
    printed: Counter[str] = Counter()
    for finding in report.findings:
        if every or printed[finding.rule] < PRINTED:
            printed[finding.rule] += 1
            yield finding.render()
    for rule, count in report.counts.items():
        if count > printed[rule]:
            yield f"... and {count - printed[rule]:,} more of {RULES[rule].code} {rule}; --all prints them"
    for share in report.shares:
        kind = share.rule.removeprefix("unknown_")
        which = "all" if share.broken == share.of else f"{share.broken:,} of"
        yield (
            f"{share.file}: {which} {share.of:,} judgements ({100 * share.broken / share.of:.1f} %) point to an "
            f"unknown {kind}"
        )
    figures = report.figures
    yield f"{figures['documents']:,} documents, {figures['queries']:,} queries"
    for name, split in figures["splits"].items():
        scores = split.get("scores", {})
        grades = ", ".join(f"{score} in {count:,}" for score, count in scores.items())
        yield (
            f"split {name}: {split['judgements']:,} judgements of {split['queries']:,} queries, "
            f"{split['negatives']:,} not relevant; scores: {grades or split['different_scores']}"
        )
    yield f"check: {report.errors:,} errors, {report.warnings:,} warnings"
