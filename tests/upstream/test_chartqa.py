"""ChartQA-Split: each treatment in a tiny release of its own, then the counts and some rows of the real one."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bench.errors import BenchError
from bench.upstream import chartqa
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows


def row(**changes: Any) -> dict[str, Any]:
    return {"imgname": "bars.png", "query": "Which bar is the tallest?", "label": "the third"} | changes


def read(directory: Path, files: dict[str, list[dict[str, Any]]]) -> list[Record]:
    """`files` is {file: rows}; the other files of the release are empty."""
    for folder in ("simple", "complex"):
        (directory / folder / "png").mkdir(parents=True, exist_ok=True)
        for made_by in ("human", "augmented"):
            for complexity in ("simple", "complex"):
                name = f"{folder}/test_{made_by}_{complexity}.json"
                (directory / name).write_text(json.dumps(files.get(name, [])), "utf-8")
    return list(chartqa.read(Raw(directory, "charts", "r1", {})))


def chart(directory: Path, name: str, size: tuple[int, int] = (40, 30)) -> None:
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size).save(path)


def of(records: list[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def test_a_chart_is_a_source_without_text_and_the_gold_of_its_question(tmp_path: Path) -> None:
    chart(tmp_path, "complex/png/bars.png", (64, 48))
    records = read(tmp_path, {"complex/test_human_simple.json": [row()]})
    assert of(records, Document) == [Document("charts/complex/bars.png", "bars", {"width": 64, "height": 48}, [])]
    (question,) = of(records, Question)
    assert [(gold.source_id, gold.region) for gold in question.gold] == [("charts/complex/bars.png", {})]
    assert (question.item, question.about) == ("complex/test_human_simple.json[0]", "bars.png")
    assert (question.answer, question.answer_format, question.session) == ("the third", "str", None)
    assert question.scenario == "complex_chart_simple_question"


@pytest.mark.parametrize(
    ("file", "fault", "reason"),
    [
        ("simple/test_human_complex.json", {"query": "  "}, "no_question"),
        ("simple/test_human_complex.json", {"label": ""}, "no_answer"),
        ("simple/test_human_complex.json", {"imgname": "elsewhere.png"}, "missing_document"),
        ("simple/test_human_complex.json", {"imgname": "elsewhere.png", "label": ""}, "no_answer"),
        ("complex/test_human_complex.json", {}, "missing_document"),
        ("simple/test_augmented_simple.json", {}, "model_made"),
        ("simple/test_augmented_complex.json", {"query": ""}, "model_made"),
    ],
)
def test_what_is_kept_out(tmp_path: Path, file: str, fault: dict[str, Any], reason: str) -> None:
    chart(tmp_path, "simple/png/bars.png")
    records = read(tmp_path, {file: [row(**fault)]})
    assert [(left.kind, left.item, left.reason) for left in of(records, Excluded)] == [
        ("question", f"{file}[0]", reason)
    ]
    assert of(records, Question) == []


def test_a_file_that_is_no_image_is_no_document(tmp_path: Path) -> None:
    chart(tmp_path, "simple/png/lines.png")
    (tmp_path / "simple/png/bars.png").write_bytes(b"<html>not found</html>")
    records = read(tmp_path, {"simple/test_human_simple.json": [row()]})
    assert [(left.kind, left.reason) for left in of(records, Excluded)] == [
        ("document", "unreadable_image"),
        ("question", "missing_document"),
    ]
    assert sum(rows.total for rows in of(records, Rows) if rows.kind == "document") == 2


def test_a_missing_question_file_is_named(tmp_path: Path) -> None:
    read(tmp_path, {})
    (tmp_path / "complex/test_human_simple.json").unlink()
    with pytest.raises(BenchError, match=r"complex/test_human_simple\.json is missing"):
        list(chartqa.read(Raw(tmp_path, "charts", "r1", {})))


def test_the_release(mirror: Path) -> None:
    records = list(chartqa.read(Raw(mirror / "chartqa-split", "chartqa-split", "d20e38ad", {})))
    assert Counter(left.reason for left in of(records, Excluded)) == {"model_made": 1212, "missing_document": 678}
    assert (len(of(records, Document)), len(of(records, Question))) == (243, 483)
    assert sum(rows.total for rows in of(records, Rows) if rows.kind == "question") == 2373
    assert Counter(question.scenario for question in of(records, Question)) == {
        "simple_chart_simple_question": 64,
        "simple_chart_complex_question": 171,
        "complex_chart_simple_question": 56,
        "complex_chart_complex_question": 192,
    }
    first = of(records, Question)[0]
    assert (first.item, first.answer) == ("simple/test_human_simple.json[4]", "1931")
    sizes = {document.source_id: document.extent for document in of(records, Document)}
    assert sizes[first.gold[0].source_id] == {"width": 850, "height": 600}
