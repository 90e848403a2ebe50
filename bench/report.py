"""What the stages and `bench summary` print: tables for people, on stdout."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.acceptance import accept
from bench.discriminate import indiscriminate
from bench.records import MODALITIES

# One value a column; those of a class share their denominator, which stands in front.
FINDING = ("recall@10", "nDCG@10", "MRR", "MAP@10", "P@10")
CAREFUL = {
    "false_recall": "false recall",
    "temporal_correctness_twins": "temporal twins",
    "holder_correctness_twins": "holder twins",
}
_WIDTH_WITHOUT_TERMINAL = 140


def console() -> Console:
    """A console that does not squeeze tables into 80 columns when its output is piped."""
    return Console() if sys.stdout.isatty() else Console(width=_WIDTH_WITHOUT_TERMINAL)


def print_dataset(dataset: Mapping[str, Any]) -> None:
    """Sources, queries by class and holders of each modality, then what every source kept and left out, and why."""
    classes = ("answerable", "unanswerable", "native", "other_holder", "before_observation")
    table = _table("modality", "sources", "holders", "queries", *classes, "unanswerable share")
    for name in _modalities(dataset):
        row = dataset[name]
        table.add_row(
            name,
            *(f"{row[key]:,}" for key in ("sources", "holders", "queries", *classes)),
            f"{row['unanswerable'] / row['queries']:.0%}" if row["queries"] else "",
        )
    rows = _table("source", "rows", "in", "kept", "excluded", "by reason")
    for name, source in sorted(dataset["by_source"].items()):
        for kind in [kind for kind in ("document", "caption", "question") if kind in source]:
            counts = source[kind]
            reasons = [
                f"{reason.partition(':')[2]} {number:,}"
                for reason, number in sorted(source["excluded"].items(), key=lambda pair: (-pair[1], pair[0]))
                if reason.startswith(f"{kind}:")
            ]
            numbers = (f"{counts[key]:,}" for key in ("rows", "kept", "excluded"))
            rows.add_row(name, kind, *numbers, ", ".join(reasons))
    out = console()
    out.print(table, rows)


def print_scores(documents: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> None:
    """A table a system and split: values with n and denominators, and what could not be measured."""
    out = console()
    for system, document in documents.items():
        for split in sorted(document["all"]):
            out.print(_scores(system, split, document))
            if unmeasured := document["counts"]["all"][split]["unmeasured"]:
                out.print(
                    f"  {unmeasured:,} queries are on sources without text, which {system} cannot read: not scored"
                )
        if settings["acceptance"]:
            outcome = accept(document, settings["thresholds"])
            out.print(f"  acceptance of {system}: {outcome.outcome}", *outcome.reasons, sep="\n    ")


def _scores(system: str, split: str, document: Mapping[str, Any]) -> Table:
    table = _table("modality", "n / answerable", *FINDING, *CAREFUL.values(), title=f"{system}, {split}")
    for name in _modalities(document):
        records = document[name].get(split, {})
        first = records.get(FINDING[0])
        table.add_row(
            name,
            f"{first['n']:,} / {first['denominator']:,}" if first else "",
            *(f"{records[key]['value']:.3f}" if key in records else "" for key in FINDING),
            *(_with_counts(records.get(key)) for key in CAREFUL),
        )
    return table


def _with_counts(record: Mapping[str, Any] | None) -> str:
    return f"{record['value']:.3f} ({record['numerator']:.0f}/{record['denominator']})" if record else ""


def print_warnings(documents: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> None:
    """The sources that do not discriminate, on stderr."""
    for sentence in indiscriminate(documents, settings["min_margin"]):
        print(f"warning: {sentence}", file=sys.stderr)


def _modalities(document: Mapping[str, Any]) -> Iterable[str]:
    return [name for name in ("all", *MODALITIES) if name in document]


def _table(first: str, *columns: str, title: str | None = None) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    table.add_column(first, no_wrap=True)
    for column in columns:
        wide = column == "by reason"
        table.add_column(column, justify="left" if wide or column in ("rows",) else "right", overflow="fold")
    return table
