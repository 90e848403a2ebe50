"""Writing the same qrels and run in every format."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, Mapping[str, float]]
FORMATS = ("trec", "objects", "columns", "parquet", "dictionary")


class Files(NamedTuple):
    """Where one format of the two lies."""

    qrels: Path
    run: Path


def text(path: Path, *lines: str) -> Path:
    """A file of these lines."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def rows(path: Path, *lines: object) -> Path:
    """JSON Lines."""
    return text(path, *(json.dumps(line) for line in lines))


def table(path: Path, kind: pa.DataType, **columns: list) -> Path:
    """A parquet file whose ids are of `kind`."""
    kinds = {"query_id": kind, "doc_id": kind}
    pq.write_table(pa.table({name: pa.array(values, kinds.get(name)) for name, values in columns.items()}), path)
    return path


def write(folder: Path, form: str, qrels: Qrels, run: Run) -> Files:
    """Write both in the format `form`."""
    hits = [(query_id, doc_id, score) for query_id, found in run.items() for doc_id, score in found.items()]
    judged = [(query_id, doc_id, grade) for query_id, grades in qrels.items() for doc_id, grade in grades.items()]
    if form == "trec":
        return Files(
            text(folder / "qrels.trec", *(f"{query_id} 0 {doc_id} {grade}" for query_id, doc_id, grade in judged)),
            text(folder / "run.trec", *(f"{query_id} Q0 {doc_id} 1 {score!r} tag" for query_id, doc_id, score in hits)),
        )
    if form in ("parquet", "dictionary"):
        kind = pa.string() if form == "parquet" else pa.dictionary(pa.int32(), pa.string())
        columns = [list(column) for column in zip(*hits, strict=True)] or [[], [], []]
        gold = [list(column) for column in zip(*judged, strict=True)] or [[], [], []]
        return Files(
            table(folder / f"qrels-{form}.parquet", kind, query_id=gold[0], doc_id=gold[1], relevance=gold[2]),
            table(folder / f"{form}.parquet", kind, query_id=columns[0], doc_id=columns[1], score=columns[2]),
        )
    gold_lines = [
        {"query_id": query_id, "doc_ids": list(grades), "relevance": list(grades.values())}
        for query_id, grades in qrels.items()
    ]
    lines = [{"query_id": query_id, **_hits(form, found)} for query_id, found in run.items()]
    return Files(rows(folder / "qrels.jsonl", *gold_lines), rows(folder / f"{form}.jsonl", *lines))


def _hits(form: str, found: Mapping[str, float]) -> dict:
    if form == "objects":
        return {"hits": [{"doc_id": doc_id, "score": score} for doc_id, score in found.items()]}
    return {"doc_ids": list(found), "scores": list(found.values())}
