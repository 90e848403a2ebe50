"""Printing agreement: a table where stdout is a terminal, else tab-separated with a header, or one JSON document."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from bench.agreement.gold import NO_MAJORITY, TIE, TOO_FEW
from bench.agreement.measure import original
from bench.agreement.run import Outcome
from bench.jsonl import encode

COLUMNS = ("measure", "of", "value", "low", "high", "items", "raters", "raw", "note")
_NUMBERS = ("value", "low", "high", "items", "raters", "raw")
# Longer notes stand below a table.
_SHORT = 20
_COEFFICIENTS = ("raw_agreement", "fleiss_kappa", "krippendorff_alpha", "iou", "iou_at_least_half")


def show(outcome: Outcome, as_json: bool) -> None:
    """The report and the verdict to stdout; what is worth knowing besides to stderr."""
    if as_json:
        print(encode(outcome.report).decode())
    else:
        _print(COLUMNS, list(report_rows(outcome.report)))
        print(f"{outcome.verdict.outcome}: {outcome.verdict.reason}")
        print(_items(outcome.report["items"]))
    for note in outcome.notes:
        print(note, file=sys.stderr)


def show_upstream(reports: dict[str, Any], as_json: bool) -> None:
    """The votes of upstreams to stdout, a row a source and measure; no verdict, for none is made."""
    if as_json:
        print(encode(reports).decode())
        return
    rows: list[Sequence[str]] = []
    for source, found in reports.items():
        if isinstance(found, str):
            rows.append((source, "", "", "", "", "", "", "", "", found))
            continue
        for kind, report in found.items():
            rows += [(source, *cells) for cells in coefficient_rows(report, kind)]
    _print(("source", *COLUMNS), rows)


def report_rows(report: dict[str, Any]) -> Iterator[Sequence[str]]:
    """The cells under COLUMNS: coefficients, those of each category, shares, and each annotator against the others."""
    yield from coefficient_rows(report, "all")
    for category, block in report.get("by_category", {}).items():
        yield from coefficient_rows(block, original(category))
    for category, share in report["shares"].items():
        yield "share of votes", original(category), _number(share, "value"), "", "", "", "", "", _fraction(share)
    for annotator, record in report.get("annotators", {}).items():
        without = f"; on {record['no_consensus']:,} items the others have no majority" if record["no_consensus"] else ""
        yield _cells("kappa to others", original(annotator), record, without)


def coefficient_rows(report: dict[str, Any], of: str) -> Iterator[Sequence[str]]:
    """The cells of the coefficients of a report or block."""
    for measure in _COEFFICIENTS:
        if measure in report:
            record = report[measure]
            yield _cells(measure, of, {"n_items": report.get("n_items"), "n_raters": report.get("n_raters")} | record)


def _cells(measure: str, of: str, record: dict[str, Any], more: str = "") -> Sequence[str]:
    value = "undefined" if "undefined" in record else _number(record, "value")
    note = record.get("reason") or record.get("level") or _fraction(record)
    return (
        measure,
        of,
        value,
        _number(record, "low"),
        _number(record, "high"),
        str(record.get("n_items", "")),
        str(record.get("n_raters", "")),
        _number(record, "raw_agreement"),
        (note + more).removeprefix("; "),
    )


def _number(record: dict[str, Any], key: str) -> str:
    return f"{record[key]:.3f}" if key in record else ""


def _fraction(record: dict[str, Any]) -> str:
    """What a value is of, to three decimals."""
    if "numerator" not in record:
        return ""
    return f"{record['numerator']:.3f}".rstrip("0").rstrip(".") + f"/{record['denominator']}"


def _items(counts: dict[str, int]) -> str:
    return (
        f"items with a majority: {counts['gold']:,}; for adjudication: {counts[TOO_FEW]:,} with too few votes, "
        f"{counts[TIE]:,} tied, {counts[NO_MAJORITY]:,} without a majority"
    )


def _print(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if not sys.stdout.isatty():
        for line in (columns, *rows):
            print("\t".join(line))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(*columns, box=None, pad_edge=False)
    for column in table.columns:
        column.no_wrap = column.header != "note"
        column.justify = "right" if column.header in _NUMBERS else "left"
    for row in rows:
        table.add_row(*row[:-1], row[-1] if len(row[-1]) <= _SHORT else "below")
    console = Console(markup=False, highlight=False)
    console.print(table)
    for row in rows:
        if len(row[-1]) > _SHORT:
            console.print(f"{', '.join(row[: -1 - len(_NUMBERS)])}: {row[-1]}")
