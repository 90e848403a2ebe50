"""What the normalize stage and `bench summary` print about the data."""

from collections.abc import Mapping
from typing import Any

from bench.tables import console, modalities, table


def print_dataset(dataset: Mapping[str, Any]) -> None:
    """Sources, queries by class and holders of each modality, then what every source kept and left out, and why."""
    classes = ("answerable", "unanswerable", "native", "other_holder", "before_observation")
    counts = table("modality", "sources", "holders", "queries", *classes, "unanswerable share")
    for name in modalities(dataset):
        row = dataset[name]
        counts.add_row(
            name,
            *(f"{row[key]:,}" for key in ("sources", "holders", "queries", *classes)),
            f"{row['unanswerable'] / row['queries']:.0%}" if row["queries"] else "",
        )
    rows = table("source", "rows", "in", "kept", "excluded", "by reason", left=("rows", "by reason"))
    for name, source in sorted(dataset["by_source"].items()):
        for kind in [kind for kind in ("document", "caption", "question") if kind in source]:
            number_of = source[kind]
            reasons = [
                f"{reason.partition(':')[2]} {number:,}"
                for reason, number in sorted(source["excluded"].items(), key=lambda pair: (-pair[1], pair[0]))
                if reason.startswith(f"{kind}:")
            ]
            numbers = (f"{number_of[key]:,}" for key in ("rows", "kept", "excluded"))
            rows.add_row(name, kind, *numbers, ", ".join(reasons))
    out = console()
    out.print(counts, rows)
