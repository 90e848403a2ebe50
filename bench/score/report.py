"""What the score stage and `bench summary` print about the systems."""

import sys
from collections.abc import Mapping
from typing import Any

from rich.table import Table

from bench.score.acceptance import accept
from bench.score.discriminate import indiscriminate
from bench.tables import console, modalities, table

# One value a column; those of a class share their denominator, which stands in front.
FINDING = ("recall@10", "nDCG@10", "MRR", "MAP@10", "P@10")
CAREFUL = {
    "false_recall": "false recall",
    "temporal_correctness_twins": "temporal twins",
    "holder_correctness_twins": "holder twins",
}


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
    made = table("modality", "n / answerable", *FINDING, *CAREFUL.values(), title=f"{system}, {split}")
    for name in modalities(document):
        records = document[name].get(split, {})
        first = records.get(FINDING[0])
        made.add_row(
            name,
            f"{first['n']:,} / {first['denominator']:,}" if first else "",
            *(f"{records[key]['value']:.3f}" if key in records else "" for key in FINDING),
            *(_with_counts(records.get(key)) for key in CAREFUL),
        )
    return made


def _with_counts(record: Mapping[str, Any] | None) -> str:
    return f"{record['value']:.3f} ({record['numerator']:.0f}/{record['denominator']})" if record else ""


def print_warnings(documents: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> None:
    """The sources that do not discriminate, on stderr."""
    for sentence in indiscriminate(documents, settings["min_margin"]):
        print(f"warning: {sentence}", file=sys.stderr)
