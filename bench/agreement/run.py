"""`bench agreement`: read, measure, judge, write gold; or report the votes that the upstreams of a suite publish."""

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from bench.agreement.declare import Declaration, declaration, settings
from bench.agreement.gate import ACCEPT, EXIT_CODES, Verdict, bar, judge, warnings
from bench.agreement.gold import NO_MAJORITY, TIE, TOO_FEW, Decided, decide, item_lines
from bench.agreement.measure import Record, measure
from bench.agreement.read import read_votes
from bench.agreement.upstream import REPORTS
from bench.agreement.votes import tabulate
from bench.errors import BenchError, CannotCompare
from bench.jsonl import write_document, write_rows
from bench.registry import Source
from bench.suite import Suite
from bench.upstream.base import Raw

__all__ = ["EXIT_CODES", "CannotJudge", "Outcome", "Outputs", "agreement", "upstream"]

NOT_PUBLISHED, NOT_FETCHED = "not published", "not fetched"


class CannotJudge(CannotCompare):
    """Votes that cannot be read or are not declared; never taken for accepted or rejected (exit code 2)."""


class Outputs(NamedTuple):
    """Files to write, None where one is not wanted: gold with its adjudication list, a line an item, the metric."""

    gold: Path | None = None
    items: Path | None = None
    metrics: Path | None = None


class Outcome(NamedTuple):
    """The report, the verdict on it, and what a reader should know besides: warnings, and which files were written."""

    report: dict[str, Any]
    verdict: Verdict
    notes: list[str]


def agreement(path: Path, stated: Declaration, suite: Suite, outputs: Outputs) -> Outcome:
    """Judge the votes at `path` by the suite's bar. CannotJudge where they cannot be read.

    Gold is written only where the set is accepted; the adjudication list always, beside it, with the items that need
    a person whatever becomes of the set.
    """
    try:
        found = settings(suite.params, suite.show(suite.home / "params.yaml"))
        declared = declaration(path, stated, found)
        votes = read_votes(path, declared)
    except BenchError as error:
        raise CannotJudge(str(error)) from None
    needed = bar(found, declared)
    report = measure(votes)
    verdict = judge(report, needed)
    decided = decide(votes, needed)
    report["gate"] = {**verdict._asdict(), "min_kappa": needed.kappa, "min_annotators": needed.annotators}
    report["items"] = _counts(decided)
    notes = warnings(report, needed, verdict.measure)
    if outputs.gold:
        notes += _write_gold(outputs.gold, decided, verdict)
    if outputs.items:
        write_rows(outputs.items, item_lines(tabulate(votes)))
    if outputs.metrics:
        write_document(outputs.metrics, report)
    return Outcome(report, verdict, notes)


def upstream(suite: Suite) -> dict[str, Record | str]:
    """By source of the suite: the report on its upstream's votes, or why there is none."""
    return {source.name: _upstream(suite, source) for source in suite.sources}


def _upstream(suite: Suite, source: Source) -> Record | str:
    reader = REPORTS.get(source.adapter)
    if reader is None:
        return NOT_PUBLISHED
    raw = Raw(suite.raw / source.name, source.dataset, source.revision, suite.options(source))
    return reader(raw) if raw.directory.is_dir() else NOT_FETCHED


def _counts(decided: Decided) -> dict[str, int]:
    reasons = Counter(line["reason"] for line in decided.adjudicate)
    return {"gold": len(decided.gold)} | {reason: reasons[reason] for reason in (TOO_FEW, TIE, NO_MAJORITY)}


def _write_gold(path: Path, decided: Decided, verdict: Verdict) -> list[str]:
    """Write both files; what to say of it."""
    beside = path.with_name(f"{path.stem}.adjudicate.jsonl")
    write_rows(beside, decided.adjudicate)
    said = [f"for adjudication: {len(decided.adjudicate):,} ({beside})"]
    if verdict.outcome == ACCEPT:
        write_rows(path, decided.gold)
        return [f"gold: {len(decided.gold):,} items ({path})", *said]
    kept = "; the file that stands there is of an earlier run" if path.exists() else ""
    return [f"no gold is written to {path}, since the set is not accepted{kept}", *said]
