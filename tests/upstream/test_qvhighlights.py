"""QVHighlights: each fault in a tiny release of its own, then the counts and some rows of the real one."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.errors import BenchError
from bench.upstream import qvhighlights
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows

FILE = "highlight_val_release.jsonl"
CLIP = "abc_de-Fgh0_60.0_210.0"


def row(**changes: Any) -> dict[str, Any]:
    """A row of the release; a change to None takes the field away."""
    full = {
        "qid": 1,
        "query": "A cat opens the fridge",
        "duration": 150,
        "vid": CLIP,
        "relevant_clip_ids": [5, 6],
        "saliency_scores": [[1, 2, 3], [4, 4, 4]],
        "relevant_windows": [[10, 14]],
    } | changes
    return {key: value for key, value in full.items() if value is not None}


def read(directory: Path, *rows: dict[str, Any], name: str = FILE) -> list[Record]:
    (directory / name).write_text("".join(json.dumps(each) + "\n" for each in rows), "utf-8")
    return list(qvhighlights.read(Raw(directory, "qvhighlights", "r1", {"files": [name]})))


def of(records: list[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def test_a_row_becomes_a_clip_without_text_and_a_question_about_it(tmp_path: Path) -> None:
    records = read(tmp_path, row())
    assert of(records, Rows) == [Rows("document", 1), Rows("question", 1)]
    assert of(records, Document) == [
        Document(source_id=f"qvhighlights/{CLIP}", title=CLIP, extent={"duration": 150.0}, units=[])
    ]
    (question,) = of(records, Question)
    assert question.item == f"{FILE}/1"
    assert question.session == question.gold[0].source_id == f"qvhighlights/{CLIP}"
    assert question.gold[0].region == {"t_start": 10.0, "t_end": 14.0}
    assert all(isinstance(value, float) for value in question.gold[0].region.values())
    assert (question.answer, question.answer_format, question.unanswerable) == (None, "none", False)
    assert question.scenario == "single_moment"


def test_windows_one_step_apart_are_not_merged(tmp_path: Path) -> None:
    (question,) = of(read(tmp_path, row(relevant_windows=[[72, 82], [84, 94]])), Question)
    assert [gold.region for gold in question.gold] == [
        {"t_start": 72.0, "t_end": 82.0},
        {"t_start": 84.0, "t_end": 94.0},
    ]
    assert question.scenario == "several_moments"


def test_absent_gold_is_not_empty_gold(tmp_path: Path) -> None:
    records = read(tmp_path, row(qid=1, relevant_windows=None), row(qid=2, relevant_windows=[]))
    assert [(left.item, left.reason) for left in of(records, Excluded)] == [
        (f"{FILE}/1", "gold_withheld"),
        (f"{FILE}/2", "no_windows"),
    ]
    assert len(of(records, Document)) == 1


@pytest.mark.parametrize(
    ("window", "reason"),
    [
        ([14, 10], "reversed_span"),
        ([10, 10], "empty_span"),
        ([148, 152], "beyond_duration"),
        ([-2, 10], "negative_start"),
    ],
)
def test_one_bad_window_keeps_its_question_out(tmp_path: Path, window: list[int], reason: str) -> None:
    records = read(tmp_path, row(relevant_windows=[[0, 2], window]))
    (left,) = of(records, Excluded)
    assert (left.kind, left.reason) == ("question", reason)
    assert not of(records, Question)


def test_the_end_of_the_clip_is_inside_it(tmp_path: Path) -> None:
    assert of(read(tmp_path, row(relevant_windows=[[148, 150]])), Question)


def test_a_window_listed_twice_counts_once(tmp_path: Path) -> None:
    records = read(tmp_path, row(relevant_windows=[[10, 14], [10, 14]]))
    (question,) = of(records, Question)
    assert len(question.gold) == 1
    assert question.scenario == "single_moment"
    assert [resolved.rule for resolved in of(records, Resolved)] == ["window_listed_twice"]


@pytest.mark.parametrize(("duration", "resolved"), [(126, True), (147, True), (148, False), (152, False)])
def test_the_stated_duration_stays_where_vid_says_another(tmp_path: Path, duration: int, resolved: bool) -> None:
    records = read(tmp_path, row(duration=duration))
    assert of(records, Document)[0].extent == {"duration": float(duration)}
    expected = [Resolved(CLIP, "duration_differs_from_vid", "duration", 150.0, float(duration))] if resolved else []
    assert of(records, Resolved) == expected


def test_two_durations_of_one_clip_keep_it_out_after_faults_of_labels(tmp_path: Path) -> None:
    records = read(
        tmp_path,
        row(qid=1, duration=150),
        row(qid=2, duration=126),
        row(qid=3, relevant_windows=[[5, 5]]),
    )
    assert [(left.kind, left.reason) for left in of(records, Excluded)] == [
        ("document", "durations_differ"),
        ("question", "missing_document"),
        ("question", "missing_document"),
        ("question", "empty_span"),
    ]
    assert of(records, Rows) == [Rows("document", 1), Rows("question", 3)]


def test_errors_name_file_and_line(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=rf"{FILE}:2 is not a Row record.*qid"):
        read(tmp_path, row(), row(qid="two"))
    with pytest.raises(BenchError, match="duration of 0"):
        read(tmp_path, row(duration=0))
    with pytest.raises(BenchError, match=r"absent\.jsonl is missing"):
        list(qvhighlights.read(Raw(tmp_path, "qvhighlights", "r1", {"files": ["absent.jsonl"]})))
    with pytest.raises(BenchError, match="must list at least one file"):
        list(qvhighlights.read(Raw(tmp_path, "qvhighlights", "r1", {"files": FILE})))


def test_the_real_release(mirror: Path) -> None:
    records = list(qvhighlights.read(Raw(mirror / "qvhighlights", "qvhighlights", "r1", {})))
    questions = {question.item: question for question in of(records, Question)}
    documents = {document.title: document for document in of(records, Document)}
    assert of(records, Rows) == [Rows("document", 10_148), Rows("question", 10_310)]
    assert (len(documents), len(questions), of(records, Excluded)) == (10_148, 10_310, [])
    assert len(of(records, Resolved)) == 270
    assert sum(question.scenario == "several_moments" for question in questions.values()) == 2_363 + 530 + 511
    assert sum(len(question.gold) for question in questions.values()) == 18_367
    spot = questions["highlight_train_release.jsonl/9769"]
    assert spot.session == "qvhighlights/j7rJstUseKg_360.0_510.0"
    assert [tuple(gold.region.values()) for gold in spot.gold[:2]] == [(72.0, 82.0), (84.0, 94.0)]
