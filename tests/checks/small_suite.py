"""A small valid suite of two modalities that a test breaks in one place."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import ids
from bench.jsonl import encode, write_document
from bench.suite import Suite

Row = dict[str, Any]
LAST = "2025-12-31T23:59:59Z"
OBSERVED = "2025-06-01T00:00:00Z"
BEFORE = "2025-05-31T23:59:59Z"
DATASETS = {"docs": "pdf", "chartqa": "pdf", "talks": "conversation"}


@dataclass
class Files:
    """The rows of each file; a row that is bytes is written as it is."""

    params: Row
    manifest: list[Row]
    corpus: dict[str, list[Row | bytes]]
    sets: dict[str, list[Row | bytes]]
    excluded: list[Row]
    accounts: Row

    def write(self, folder: Path) -> Suite:
        """The suite, on disk."""
        for name in ("corpus", "sets", "metrics"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "params.yaml").write_text(json.dumps(self.params))
        _write(folder / "corpus/manifest.jsonl", self.manifest)
        _write(folder / "sets/excluded.jsonl", self.excluded)
        for modality, rows in self.corpus.items():
            _write(folder / f"corpus/{modality}.jsonl", rows)
        for modality, rows in self.sets.items():
            _write(folder / f"sets/{modality}.jsonl", rows)
        write_document(folder / "metrics/dataset.json", {"by_source": self.accounts})
        return Suite(folder)


def _write(path: Path, rows: list[Any]) -> None:
    path.write_bytes(b"".join(row if isinstance(row, bytes) else encode(row) + b"\n" for row in rows))


def valid() -> Files:
    """30 documents and 12 talks of two holders, a question on each, twins of 8 (lines 31 to 38) and native ones."""
    corpus = {
        "pdf": [_entry("docs", number, {"pages": 5}) for number in range(30)],
        "conversation": [_entry("talks", number, {"turns": 5}) for number in range(12)],
    }
    pdf = [_query("docs", number, {"page": 2}) for number in range(30)]
    pdf[17]["origin"] = _origin("chartqa", "test_human_simple.json[17]")
    pdf += [_twin(pdf[number], "other_holder") for number in range(20, 24)]
    pdf += [_twin(pdf[number], "before_observation") for number in range(24, 28)]
    pdf += [_native("docs", number) for number in range(30, 36)]
    talks = [_query("talks", number, {"turn": 2}) for number in range(12)]
    talks += [_native("talks", number) for number in range(12, 26)]
    return Files(
        params={
            "sources": list(DATASETS),
            "split": {"dev": 0.5},
            "validate": {
                "min_unanswerable_share": 0.15,
                "min_queries": 5,
                "max_share": 1.0,
                "max_question_chars": 200,
            },
        },
        manifest=[_manifested(dataset) for dataset in DATASETS],
        corpus=corpus,
        sets={"pdf": pdf, "conversation": talks},
        excluded=[_excluded("docs", "question", "page_zero"), _excluded("docs", "document", "no_pages")],
        accounts={
            "docs": _account(question=(36, 35, 1), document=(31, 30, 1))
            | {"excluded": {"question:page_zero": 1, "document:no_pages": 1}},
            "chartqa": _account(question=(1, 1, 0), document=(0, 0, 0)),
            "talks": _account(question=(26, 26, 0), document=(12, 12, 0)),
        },
    )


def _manifested(dataset: str) -> Row:
    return {
        "source": dataset,
        "dataset": dataset,
        "modality": DATASETS[dataset],
        "revision": "1",
        "licence": {"spdx": "CC0-1.0", "read_at": "here", "redistribute": True},
        "annotation_source": {"kind": "human", "how": "written for a test"},
    }


def _entry(dataset: str, number: int, extent: Row) -> Row:
    kind = "page" if "pages" in extent else "turn"
    return {
        "source_id": f"{dataset}/{number}",
        "modality": DATASETS[dataset],
        "holder": f"h{number % 2}",
        "observed_at": OBSERVED,
        "dataset": dataset,
        "revision": "1",
        "title": f"{dataset} {number}",
        "extent": extent,
        "units": [{"region": {kind: 2}, "text": f"what {dataset} {number} says"}],
    }


def _query(dataset: str, number: int, region: Row) -> Row:
    question = f"What does {dataset} {number} say?"
    query_id = ids.query_id(dataset, str(number), question)
    return {
        "query_id": query_id,
        "modality": DATASETS[dataset],
        "question": question,
        "answer": None,
        "answer_format": "none",
        "gold": [{"source_id": f"{dataset}/{number}", "region": region}],
        "scope": {"holder": f"h{number % 2}", "session": None, "scenario": ("spoken", "written")[number % 2]},
        "as_of": LAST,
        "unanswerable": False,
        "origin": _origin(dataset, f"rows[{number}]"),
        "split": ids.split(query_id, 0.5),
    }


def _origin(dataset: str, item: str) -> Row:
    return {"dataset": dataset, "revision": "1", "item": item, "license": "CC0-1.0"}


def _native(dataset: str, number: int) -> Row:
    return _query(dataset, number, {}) | {"gold": [], "unanswerable": True}


def _twin(original: Row, kind: str) -> Row:
    holder = original["scope"]["holder"]
    if kind == "other_holder":
        holder = {"h0": "h1", "h1": "h0"}[holder]
    return original | {
        "query_id": original["query_id"] + {"other_holder": "~holder", "before_observation": "~before"}[kind],
        "gold": [],
        "unanswerable": True,
        "as_of": LAST if kind == "other_holder" else BEFORE,
        "scope": original["scope"] | {"holder": holder},
        "twin_of": {"query_id": original["query_id"], "kind": kind},
    }


def _excluded(source: str, kind: str, reason: str) -> Row:
    return {"source": source, "dataset": source, "kind": kind, "item": "x", "reason": reason, "detail": ""}


def _account(**kinds: tuple[int, int, int]) -> Row:
    rows = {
        kind: {"rows": total, "kept": kept, "excluded": excluded} for kind, (total, kept, excluded) in kinds.items()
    }
    return {**rows, "excluded": {}, "twins": {}, "twins_refused": {}}
