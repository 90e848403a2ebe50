"""The small tables behind `dvc plots show`: recall@k by modality, and scores against the acceptance thresholds."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.jsonl import replacing
from bench.measures.base import CUTOFFS
from bench.suite import Suite


def write_plots(suite: Suite, documents: Mapping[str, Mapping[str, Any]], split: str) -> None:
    """Write metrics/plots/{recall_at_k,thresholds}.csv from {system: scores.json}, of one split."""
    folder = suite.metrics / "plots"
    scored = [(system, *item) for system, document in documents.items() for item in of_modalities(document, split)]
    _write(
        folder / "recall_at_k.csv",
        ("series", "k", "recall"),
        [
            (f"{modality}, {system}", k, f"{records[f'recall@{k}']['value']:.6f}")
            for system, modality, records in scored
            for k in CUTOFFS
            if f"recall@{k}" in records
        ],
    )
    _write(
        folder / "thresholds.csv",
        ("measure", "modality", "system", "value", "threshold"),
        [
            (measure, modality, system, f"{records[measure]['value']:.6f}", threshold)
            for system, modality, records in scored
            for measure, threshold in sorted(suite.params["score"]["thresholds"].items())
            if measure in records
        ],
    )


def of_modalities(document: Mapping[str, Any], split: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """(`all` or modality, its records) for each that has scores of the split."""
    for name, splits in document.items():
        if name not in ("by_source", "by_scenario", "counts") and split in splits:
            yield name, splits[split]


def _write(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    with replacing(path) as file:
        file.write(text.getvalue().encode())
