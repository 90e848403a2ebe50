"""ScreenQA over Screen Annotation: each treatment in a tiny release, then the counts and some rows of the real one."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench.errors import BenchError
from bench.upstream import screenqa
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows

SHORT = "short_answers/validation.json"
SCREEN = "TOOLBAR 0 999 31 109 (TEXT Inbox 20 120 40 90), BUTTON Send 700 990 900 980"


def row(**changes: Any) -> dict[str, Any]:
    return {"image_id": 7, "question": "What is the title?", "ground_truth": ["Inbox", "the inbox"]} | changes


def read(
    directory: Path, files: dict[str, list[dict[str, Any]]], screens: list[tuple[str, str]], **options: Any
) -> list[Record]:
    """`files` is {file: rows}, the other question files being empty; `screens` are the rows of the annotation."""
    for name in ("short_answers/validation.json", "short_answers/test.json", "complex_qa/data.json"):
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(files.get(name, [])), "utf-8")
    path = directory / options.get("annotation", "screen-annotation/valid.csv")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("screen_id", "screen_annotation"), *screens])
    return list(screenqa.read(Raw(directory, "screens", "r1", options)))


def of(records: list[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def test_a_screen_is_one_region_with_its_text(tmp_path: Path) -> None:
    records = read(tmp_path, {SHORT: [row()]}, [("7", SCREEN)])
    assert of(records, Document) == [
        Document(
            source_id="screens/7",
            title="RICO screen 7",
            extent={"width": 1000, "height": 1000},
            units=[({}, "TOOLBAR\nTEXT Inbox\nBUTTON Send")],
        )
    ]
    (question,) = of(records, Question)
    assert [(gold.source_id, gold.region) for gold in question.gold] == [("screens/7", {})]
    assert (question.answer, question.answer_format) == (["Inbox", "the inbox"], "list")
    assert (question.item, question.about, question.session) == (f"{SHORT}[0]", "7", None)
    assert question.scenario == "short_answer"


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        ("TEXT Wed, 3 May (late) 1 2 3 4", "TEXT Wed, 3 May (late)"),
        ("TEXT +44 800 626 744 (800 Call) 1 2 3 4", "TEXT +44 800 626 744 (800 Call)"),
        ("TEXT ABN 42 061 438 006) (APM) 1 2 3 4", "TEXT ABN 42 061 438 006) (APM)"),
        ("LIST_ITEM 1 2 3 4 (LABEL A 1 2 3 4 (TEXT A 5 6 7 8)), SWITCH 1 2 3 4", "LIST_ITEM\nLABEL A\nTEXT A\nSWITCH"),
        ("TEXT_INPUT 1 2 3 4, TEXT in 1 2 3 4", "TEXT_INPUT\nTEXT in"),
        ("TEXT Go, BUTTON up 1 2 3 4", "TEXT Go, BUTTON up"),
    ],
)
def test_boxes_are_taken_out_and_numbers_in_texts_stay(annotation: str, text: str) -> None:
    assert screenqa.readable(annotation) == text


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"question": " "}, "no_question"),
        ({"ground_truth": []}, "no_answer"),
        ({"ground_truth": ["<no answer>"]}, "no_answer_within_screen"),
        ({"ground_truth": ["<no answer>", "<no answer>"]}, "no_answer_within_screen"),
        ({"ground_truth": ["Inbox", "<no answer>"]}, "annotators_disagree_on_answerability"),
        ({"image_id": 8}, "missing_document"),
        ({"image_id": 8, "ground_truth": ["<no answer>"]}, "no_answer_within_screen"),
    ],
)
def test_what_is_kept_out(tmp_path: Path, fault: dict[str, Any], reason: str) -> None:
    records = read(tmp_path, {SHORT: [row(**fault)]}, [("7", SCREEN)])
    assert [(left.kind, left.item, left.reason) for left in of(records, Excluded)] == [
        ("question", f"{SHORT}[0]", reason)
    ]
    assert of(records, Question) == []


def test_model_assisted_rows_are_never_gold(tmp_path: Path) -> None:
    records = read(tmp_path, {"complex_qa/data.json": [row(), row(image_id=9)]}, [("7", SCREEN)])
    assert [left.reason for left in of(records, Excluded)] == ["model_made", "model_made"]


def test_screens_without_a_text_or_listed_twice_are_kept_out(tmp_path: Path) -> None:
    records = read(tmp_path, {SHORT: [row(image_id=8)]}, [("7", SCREEN), ("8", " "), ("7", "TEXT Other 1 2 3 4")])
    assert [(left.kind, left.reason, left.detail) for left in of(records, Excluded)] == [
        ("document", "no_annotation", "8"),
        ("document", "screen_listed_twice", "7"),
        ("question", "missing_document", "8"),
    ]
    assert of(records, Rows)[0] == Rows("document", 3)


def test_the_annotation_is_an_option(tmp_path: Path) -> None:
    records = read(tmp_path, {SHORT: [row()]}, [("7", SCREEN)], annotation="other/train.csv")
    assert len(of(records, Question)) == 1


def test_an_annotation_of_another_shape_is_refused(tmp_path: Path) -> None:
    read(tmp_path, {}, [])
    (tmp_path / "screen-annotation/valid.csv").write_text("image_id,label\n7,TEXT a\n", "utf-8")
    with pytest.raises(BenchError, match="columns screen_id and screen_annotation"):
        list(screenqa.read(Raw(tmp_path, "screens", "r1", {})))


def test_the_release(mirror: Path, tmp_path: Path) -> None:
    for name in ("short_answers", "complex_qa"):
        (tmp_path / name).symlink_to((mirror / "screenqa-short" / name).resolve())
    (tmp_path / "screen-annotation").symlink_to((mirror / "screen-annotation").resolve())
    records = list(screenqa.read(Raw(tmp_path, "screenqa-short", "1dfdbcca", {})))
    assert Counter(left.reason for left in of(records, Excluded)) == {
        "missing_document": 14626,
        "model_made": 11781,
        "no_answer_within_screen": 1302,
        "annotators_disagree_on_answerability": 460,
    }
    documents, questions = of(records, Document), of(records, Question)
    assert (len(documents), len(questions)) == (2311, 645)
    assert sum(rows.total for rows in of(records, Rows) if rows.kind == "question") == 8614 + 8419 + 11781
    assert questions[0].item == "short_answers/validation.json[42]"
    assert (questions[0].question, questions[0].answer) == ("How many new messages are there?", ["one", "1"])
    assert questions[0].gold[0].source_id == "screenqa-short/300"
    texts = {document.source_id: document.units[0][1].split("\n") for document in documents}
    assert texts["screenqa-short/11107"][:3] == ["PICTOGRAM three bars", "TOOLBAR", "TEXT Account"]
    assert sum(map(len, texts.values())) == 56987
