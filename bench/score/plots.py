"""The small tables behind `dvc plots show`: recall@k by modality, and scores against the acceptance thresholds."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.jsonl import replacing
from bench.measures.base import CUTOFFS
from bench.score.acceptance import wanted
from bench.suite import Suite


def write_plots(suite: Suite, documents: Mapping[str, Mapping[str, Any]], split: str) -> None:
    """Write metrics/plots/{recall_at_k,thresholds}.csv of the first system of {system: scores.json}, of one split.

    recall_at_k.csv has a row a cutoff and a column a modality, thresholds.csv a row a measure and modality.
    """
    folder = suite.metrics / "plots"
    by_modality = dict(of_modalities(next(iter(documents.values())), split))
    finding = [name for name, records in by_modality.items() if "recall@10" in records]
    _write(
        folder / "recall_at_k.csv",
        ("k", *finding),
        [(k, *(f"{by_modality[name][f'recall@{k}']['value']:.6f}" for name in finding)) for k in CUTOFFS],
    )
    _write(
        folder / "thresholds.csv",
        ("what", "value"),
        [
            (f"{name}, {wanted(measure, threshold)}", f"{records[measure]['value']:.6f}")
            for measure, threshold in sorted(suite.params["score"]["thresholds"].items())
            for name, records in by_modality.items()
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
