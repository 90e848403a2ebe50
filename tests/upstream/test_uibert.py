"""UIBert RefExp: each treatment on a tiny screen of its own, then the counts and some rows of the real release."""

from pathlib import Path
from typing import Any

import pytest
from tfrecords import example, feature, record

from bench.errors import BenchError
from bench.upstream import uibert
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows


def boxes(prefix: str, *corners: tuple[float, float, float, float]) -> dict[str, list[float]]:
    sides = zip(*corners, strict=True) if corners else ([], [], [], [])
    return {
        f"{prefix}/bbox/{side}": list(values)
        for side, values in zip(("xmin", "ymin", "xmax", "ymax"), sides, strict=True)
    }


def screen(**changes: Any) -> dict[str, Any]:
    """A record; keyword names are the features after `image/`, with two underscores for a slash."""
    full: dict[str, Any] = {
        "image/id": [b"42"],
        "image/ref_exp/label": [1],
        "image/ref_exp/text": [b"the left button"],
        "image/object/num": [2.0],
        "image/view_hierarchy/text": [b"go", b"", b" ", b"off"],
        "image/view_hierarchy/description": [b" forward", b"a map", b"", b"screen"],
        **boxes("image/object", (0.5, 0.5, 1.0, 0.75), (0.0, 0.5, 0.5, 0.75)),
        **boxes(
            "image/view_hierarchy",
            (0.0, 0.5, 0.5, 1.0),
            (0.25, 0.0, 1.0, 0.5),
            (0.0, 0.0, 1.0, 1.0),
            (0.5, 0.5, 1.5, 1.0),
        ),
    }
    return full | {"image/" + name.replace("__", "/"): value for name, value in changes.items()}


def read(directory: Path, *records: dict[str, Any]) -> list[Record]:
    data = b"".join(record(example({name: feature(values) for name, values in each.items()})) for each in records)
    (directory / "dev.tfrecord").write_bytes(data)
    return list(uibert.read(Raw(directory, "screens", "r1", {})))


def of(records: list[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def reasons(records: list[Record]) -> list[tuple[str, str]]:
    return [(left.kind, left.reason) for left in of(records, Excluded)]


def test_leaves_with_words_are_units(tmp_path: Path) -> None:
    assert of(read(tmp_path, screen()), Document) == [
        Document(
            source_id="screens/42",
            title="RICO screen 42",
            extent={"width": 1000, "height": 1000},
            units=[({"bbox": [0, 500, 500, 1000]}, "go forward"), ({"bbox": [250, 0, 1000, 500]}, "a map")],
        )
    ]


def test_the_label_counts_objects_from_zero(tmp_path: Path) -> None:
    records = read(tmp_path, screen())
    (question,) = of(records, Question)
    assert question.session == question.gold[0].source_id == "screens/42"
    assert question.gold[0].region == {"bbox": [0, 500, 500, 750]}
    assert (question.item, question.about, question.question) == ("dev.tfrecord[0]", "42", "the left button")
    assert (question.answer_format, question.scenario) == ("none", "referring_expression")
    assert of(records, Rows) == [Rows("document", 1), Rows("question", 1)]


def test_a_screen_of_several_records_is_one_source(tmp_path: Path) -> None:
    records = read(tmp_path, screen(), screen(ref_exp__label=[0], ref_exp__text=[b"the right button"]))
    assert len(of(records, Document)) == 1
    assert [question.gold[0].region["bbox"][0] for question in of(records, Question)] == [0, 500]
    assert of(records, Rows) == [Rows("document", 1), Rows("question", 1), Rows("question", 1)]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"ref_exp__text": [b" "]}, "no_question"),
        ({"object__num": [3.0]}, "contradicting_object_count"),
        ({"object__bbox__xmin": [0.5]}, "contradicting_object_count"),
        ({"ref_exp__label": [2]}, "label_names_no_object"),
        ({"ref_exp__label": [-1]}, "label_names_no_object"),
        ({"object__bbox__xmax": [1.0, 0.0]}, "box_empty"),
        ({"object__bbox__ymax": [0.75, 0.25]}, "box_empty"),
        ({"object__bbox__ymax": [0.75, 1.5]}, "box_outside_screen"),
        ({"object__bbox__xmin": [0.5, -0.5]}, "box_outside_screen"),
    ],
)
def test_what_is_kept_out(tmp_path: Path, fault: dict[str, Any], reason: str) -> None:
    assert reasons(read(tmp_path, screen(**fault))) == [("question", reason)]


def test_a_screen_whose_leaves_do_not_align_is_kept_out_with_its_questions(tmp_path: Path) -> None:
    records = read(tmp_path, screen(view_hierarchy__text=[b"go"]), screen())
    assert reasons(records) == [("document", "leaves_do_not_align")] + [("question", "missing_document")] * 2


def test_records_of_another_kind_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"dev\.tfrecord: record 0 must have exactly one image/ref_exp/label"):
        read(tmp_path, screen(ref_exp__label=[]))


def test_text_that_is_no_utf_8_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"image/ref_exp/text of a record is not UTF-8"):
        read(tmp_path, screen(ref_exp__text=[b"caf\xe9"]))


def test_a_source_without_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"no \*\.tfrecord"):
        list(uibert.read(Raw(tmp_path, "screens", "r1", {})))


def test_the_release(mirror: Path) -> None:
    records = list(uibert.read(Raw(mirror / "uibert-refexp", "uibert-refexp", "eceafbde", {})))
    documents, questions = of(records, Document), of(records, Question)
    assert reasons(records) == []
    assert (len(documents), len(questions)) == (1125, 1125)
    assert sum(question.item.startswith("dev.tfrecord[") for question in questions) == 509
    assert questions[0].question == "click on option below 50"
    assert questions[0].gold[0].region["bbox"] == pytest.approx([38.8889, 462.5, 961.1111, 528.125], abs=1e-3)
    first = documents[0]
    assert (first.source_id, len(first.units)) == ("uibert-refexp/18177", 16)
    assert first.units[0][1] == "show"
    assert sum(len(document.units) for document in documents) == 15956
