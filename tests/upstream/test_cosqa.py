"""CoSQA: functions addressed by index and name, and each kind of row that is left out."""

import json
from collections import Counter
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from bench.errors import BenchError
from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows
from bench.upstream.cosqa import read

DOORS = "def doors(house):\n    return len(house.doors)"
WINDOWS = "@cached\nasync def windows(house):\n    return 2"
NOTHING = "doors = 3"
FUNCTIONS = {DOORS: 0, WINDOWS: 7, NOTHING: 8}


def release(folder: Path, **files: list[dict[str, Any]]) -> Raw:
    (folder / "code_idx_map.txt").write_text(json.dumps(FUNCTIONS))
    for key in ("cosqa-retrieval-dev-500", "cosqa-retrieval-test-500", "cosqa-dev", "test_webquery"):
        (folder / f"{key}.json").write_text(json.dumps(files.get(key.replace("-", "_"), [])))
    return Raw(folder, "cosqa", "1", {})


def retrieval(idx: str, code: str, retrieval_idx: int) -> dict[str, Any]:
    return {"idx": idx, "doc": "count doors python", "code": code, "label": 1, "retrieval_idx": retrieval_idx}


def of(kind: type[Any], records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def excluded(records: list[Record]) -> list[tuple[str, str, str]]:
    return [(record.kind, record.item, record.reason) for record in of(Excluded, records)]


def assert_all_rows_are_accounted_for(records: list[Record]) -> None:
    for kind, made in (("document", Document), ("question", Question)):
        rows = sum(record.total for record in of(Rows, records) if record.kind == kind)
        left_out = sum(record.kind == kind for record in of(Excluded, records))
        assert rows == len(of(made, records)) + left_out


def test_a_function_is_addressed_by_index_and_name(tmp_path: Path) -> None:
    records = list(read(release(tmp_path)))
    doors, windows = of(Document, records)
    assert doors.source_id == "cosqa/0"
    assert doors.units == [({"path": "cosqa/0.py", "symbol": "doors"}, DOORS)]
    assert windows.units[0][0] == {"path": "cosqa/7.py", "symbol": "windows"}
    assert windows.extent == {"symbols": [{"path": "cosqa/7.py", "symbol": "windows", "line_start": 1, "line_end": 3}]}
    assert (doors.holder, doors.observed_at) == (None, None)
    assert_all_rows_are_accounted_for(records)


def test_code_without_a_definition_is_left_out(tmp_path: Path) -> None:
    raw = release(tmp_path, cosqa_retrieval_dev_500=[retrieval("dev-1", NOTHING, 8)])
    assert excluded(list(read(raw))) == [
        ("document", "code_idx_map.txt[8]", "no_definition"),
        ("question", "cosqa-retrieval-dev-500.json/dev-1", "missing_document"),
    ]


def test_gold_is_the_function_of_the_index_or_of_the_code(tmp_path: Path) -> None:
    raw = release(
        tmp_path,
        cosqa_retrieval_dev_500=[retrieval("dev-1", WINDOWS, 7)],
        cosqa_retrieval_test_500=[retrieval("test-1", DOORS, 0)],
        cosqa_dev=[{"idx": "pair-1", "doc": "count windows", "code": WINDOWS, "label": 1}],
    )
    records = list(read(raw))
    windows = [Gold("cosqa/7", {"path": "cosqa/7.py", "symbol": "windows"})]
    assert [(question.item, question.about, question.gold) for question in of(Question, records)] == [
        ("cosqa-retrieval-dev-500.json/dev-1", "7", windows),
        (
            "cosqa-retrieval-test-500.json/test-1",
            "0",
            [Gold("cosqa/0", {"path": "cosqa/0.py", "symbol": "doors"})],
        ),
        ("cosqa-dev.json/pair-1", "7", windows),
    ]
    assert {question.scenario for question in of(Question, records)} == {"web_query"}
    assert not any(question.unanswerable for question in of(Question, records))
    assert_all_rows_are_accounted_for(records)


def test_every_row_that_is_left_out_says_why(tmp_path: Path) -> None:
    raw = release(
        tmp_path,
        cosqa_retrieval_dev_500=[retrieval("dev-1", WINDOWS, 0), retrieval("dev-2", "def gone(): pass", 3)],
        cosqa_dev=[
            {"idx": "pair-1", "doc": "count windows", "code": DOORS, "label": 0},
            # A label fault is classified before a missing function.
            {"idx": "pair-2", "doc": "count windows", "code": "def gone(): pass", "label": 0},
        ],
        test_webquery=[{"idx": "web-1", "doc": "count windows", "code": DOORS}],
    )
    records = list(read(raw))
    assert [pair for pair in excluded(records) if pair[0] == "question"] == [
        ("question", "cosqa-retrieval-dev-500.json/dev-1", "index_contradicts_code"),
        ("question", "cosqa-retrieval-dev-500.json/dev-2", "missing_document"),
        ("question", "cosqa-dev.json/pair-1", "pair_judged_no_answer"),
        ("question", "cosqa-dev.json/pair-2", "pair_judged_no_answer"),
        ("question", "test_webquery.json/web-1", "gold_withheld"),
    ]
    assert of(Question, records) == []
    assert_all_rows_are_accounted_for(records)


def test_a_missing_or_broken_file_is_named(tmp_path: Path) -> None:
    raw = release(tmp_path)
    (tmp_path / "cosqa-dev.json").write_text("[{")
    with pytest.raises(BenchError, match=r"cosqa: cosqa-dev\.json is not JSON"):
        list(read(raw))
    (tmp_path / "code_idx_map.txt").unlink()
    with pytest.raises(BenchError, match=r"cosqa: code_idx_map\.txt is missing"):
        list(read(raw))


def test_the_real_release(mirror: Path, tmp_path: Path) -> None:
    with ZipFile(mirror / "cosqa.zip") as archive:
        archive.extractall(tmp_path)
    records = list(read(Raw(tmp_path, "cosqa", "14ebcacf", {})))
    assert len(of(Document, records)) == 6267
    assert [rows.total for rows in of(Rows, records)] == [6267, 500, 500, 604, 1046]
    assert Counter(reason for _, _, reason in excluded(records)) == {
        "gold_withheld": 1046,
        "pair_judged_no_answer": 291,
    }
    assert len(of(Question, records)) == 500 + 500 + 313
    first = of(Question, records)[0]
    assert first.question == "python check if a variable is iterable"
    assert first.gold == [Gold("cosqa/1640", {"path": "cosqa/1640.py", "symbol": "is_iterable_but_not_string"})]
    assert_all_rows_are_accounted_for(records)
