"""ActivityNet Captions: each fault in two tiny files, then the counts and some rows of the real ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.errors import BenchError
from bench.upstream import activitynet_captions
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows

Videos = dict[str, dict[str, Any]]


def video(*events: tuple[float, float, str], duration: float = 60.0) -> dict[str, Any]:
    return {
        "duration": duration,
        "timestamps": [[start, end] for start, end, _ in events],
        "sentences": [sentence for _, _, sentence in events],
    }


def read(directory: Path, asking: Videos, captions: Videos) -> list[Record]:
    (directory / "val_1.json").write_text(json.dumps(asking), "utf-8")
    (directory / "val_2.json").write_text(json.dumps(captions), "utf-8")
    records = list(activitynet_captions.read(Raw(directory, "activitynet-captions", "r1", {})))
    assert_every_row_is_accounted_for(records)
    return records


def of(records: list[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def assert_every_row_is_accounted_for(records: list[Record]) -> None:
    kept = {
        "document": len(of(records, Document)),
        "caption": sum(len(document.units) for document in of(records, Document)),
        "question": len(of(records, Question)),
    }
    for kind, count in kept.items():
        excluded = sum(left.kind == kind for left in of(records, Excluded))
        assert sum(rows.total for rows in of(records, Rows) if rows.kind == kind) == count + excluded, kind


def test_one_annotator_asks_and_the_other_is_searched(tmp_path: Path) -> None:
    records = read(
        tmp_path,
        {"v_a": video((1.5, 20, "  A dog digs. "))},
        {"v_a": video((0, 19.5, " A dog makes a hole.  "), (10, 60, "It sleeps."))},
    )
    assert of(records, Document) == [
        Document(
            source_id="activitynet-captions/v_a",
            title="v_a",
            extent={"duration": 60.0},
            units=[
                ({"t_start": 0.0, "t_end": 19.5}, "A dog makes a hole."),
                ({"t_start": 10.0, "t_end": 60.0}, "It sleeps."),
            ],
        )
    ]
    (question,) = of(records, Question)
    assert (question.item, question.question) == ("val_1/v_a/0", "A dog digs.")
    assert [(gold.source_id, gold.region) for gold in question.gold] == [
        ("activitynet-captions/v_a", {"t_start": 1.5, "t_end": 20.0})
    ]
    assert question.session is None


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ((30, 20, "It turns."), "reversed_span"),
        ((20, 20, "It turns."), "empty_span"),
        ((20, 60.02, "It turns."), "beyond_duration"),
        ((60.002, 60.005, "It turns."), "beyond_duration"),
        ((-1, 20, "It turns."), "negative_start"),
        ((10, 20, " \n "), "empty_text"),
    ],
)
def test_a_fault_is_treated_alike_in_questions_and_captions(
    tmp_path: Path, event: tuple[float, float, str], reason: str
) -> None:
    good = (0, 5, "It starts.")
    records = read(tmp_path, {"v_a": video(good, event)}, {"v_a": video(event, good)})
    assert [(left.kind, left.item, left.reason) for left in of(records, Excluded)] == [
        ("caption", "val_2/v_a/0", reason),
        ("question", "val_1/v_a/1", reason),
    ]
    assert len(of(records, Question)) == 1
    assert len(of(records, Document)[0].units) == 1


def test_an_overshoot_of_rounding_is_clipped_on_both_sides(tmp_path: Path) -> None:
    duration = 95.03999999999999
    event = (36.59, 95.05, "The end.")
    records = read(tmp_path, {"v_a": video(event, duration=duration)}, {"v_a": video(event, duration=duration)})
    assert of(records, Resolved) == [
        Resolved("val_2/v_a/0", "end_clipped", "timestamps", 95.05, duration),
        Resolved("val_1/v_a/0", "end_clipped", "timestamps", 95.05, duration),
    ]
    assert of(records, Document)[0].units[0][0]["t_end"] == duration
    assert of(records, Question)[0].gold[0].region["t_end"] == duration


def test_a_video_without_second_annotation_is_no_source(tmp_path: Path) -> None:
    asking = {"v_a": video((0, 5, "It starts."), (5, 5, "It stops."), (5, 60.01, "It ends."))}
    records = read(tmp_path, asking, {"v_b": video((0, 5, "Another."))})
    assert [(left.kind, left.item, left.reason) for left in of(records, Excluded)] == [
        ("document", "v_a", "no_second_annotation"),
        ("question", "val_1/v_a/0", "missing_document"),
        ("question", "val_1/v_a/1", "empty_span"),
        ("question", "val_1/v_a/2", "missing_document"),
    ]
    assert [document.title for document in of(records, Document)] == ["v_b"]
    assert not of(records, Resolved), "a row that is left out is not resolved as well"


def test_two_durations_keep_a_video_out(tmp_path: Path) -> None:
    event = (0, 5, "It starts.")
    records = read(tmp_path, {"v_a": video(event, duration=61)}, {"v_a": video(event, duration=60)})
    assert [(left.kind, left.reason) for left in of(records, Excluded)] == [
        ("document", "durations_differ"),
        ("caption", "missing_document"),
        ("question", "missing_document"),
    ]


def test_a_video_without_usable_captions_is_no_source(tmp_path: Path) -> None:
    records = read(tmp_path, {"v_a": video((0, 5, "It starts."))}, {"v_a": video((5, 5, "It starts."))})
    assert [(left.kind, left.reason) for left in of(records, Excluded)] == [
        ("caption", "empty_span"),
        ("document", "no_usable_captions"),
        ("question", "missing_document"),
    ]


def test_lists_of_different_lengths_are_not_joined(tmp_path: Path) -> None:
    longer = video((0, 5, "One."), (5, 9, "Two.")) | {"sentences": ["One."]}
    records = read(tmp_path, {"v_a": longer}, {"v_a": video((0, 5, "One."))})
    assert [(left.kind, left.reason) for left in of(records, Excluded)] == [("question", "lists_differ")] * 2


@pytest.mark.parametrize("broken", ['{"v_a": {"duration": 0, "timestamps": [], "sentences": []}}', "[]", "{"])
def test_a_file_of_another_format_is_named(tmp_path: Path, broken: str) -> None:
    (tmp_path / "val_1.json").write_text(broken, "utf-8")
    (tmp_path / "val_2.json").write_text("{}", "utf-8")
    with pytest.raises(BenchError, match=r"val_1\.json is not in the released format"):
        list(activitynet_captions.read(Raw(tmp_path, "activitynet-captions", "r1", {})))


def test_the_real_release(mirror: Path) -> None:
    raw = Raw(mirror / "activitynet-captions", "activitynet-captions", "r1", {})
    records = list(activitynet_captions.read(raw))
    assert_every_row_is_accounted_for(records)
    assert of(records, Rows) == [Rows("document", 4_917), Rows("caption", 17_031), Rows("question", 17_505)]
    assert (len(of(records, Document)), len(of(records, Question))) == (4_885, 17_398)
    left = [(row.kind, row.reason) for row in of(records, Excluded)]
    assert {each: left.count(each) for each in left} == {
        ("document", "no_second_annotation"): 32,
        ("question", "missing_document"): 107,
    }
    assert [row.rule for row in of(records, Resolved)] == ["end_clipped"] * (134 + 111)
    documents = {document.title: document for document in of(records, Document)}
    assert len(documents["v_uqiMw7tQ1Cc"].units) == 3
    assert documents["v_uqiMw7tQ1Cc"].units[0][0] == {"t_start": 0.0, "t_end": 4.14}
    questions = {question.item: question for question in of(records, Question)}
    assert questions["val_1/v_uqiMw7tQ1Cc/1"].gold[0].region == {"t_start": 13.79, "t_end": 54.32}
    assert questions["val_1/v_uqiMw7tQ1Cc/1"].question.startswith("The coach helps")
