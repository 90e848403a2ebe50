"""ScreenSpot-v2: each treatment in a tiny release of its own, then the counts and some rows of the real copy."""

import json
import zipfile
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bench.errors import BenchError
from bench.upstream import screenspot_v2
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows


def row(**changes: Any) -> dict[str, Any]:
    """A row of the copy; a change to None takes the field away."""
    full = {
        "img_filename": "pc_a.png",
        "bbox": [10, 20, 30, 25],
        "instruction": "open the drawer",
        "img_size": [100, 50],
        "ui_type": "icon",
    } | changes
    return {key: value for key, value in full.items() if value is not None}


def upstream_row(**changes: Any) -> dict[str, Any]:
    """A row as upstream releases it: no size, and data_type."""
    return row(**({"img_size": None, "ui_type": None, "data_type": "text"} | changes))


def read(directory: Path, *rows: dict[str, Any], box: object = "xyxy", group: str = "desktop") -> list[Record]:
    for each in ("desktop", "mobile", "web"):
        held = rows if each == group else ()
        (directory / f"screenspot_{each}_v2.json").write_text(json.dumps(held), "utf-8")
    return list(screenspot_v2.read(Raw(directory, "spots", "r1", {} if box is None else {"box": box})))


def png(size: tuple[int, int]) -> bytes:
    file = BytesIO()
    Image.new("RGB", size).save(file, "PNG")
    return file.getvalue()


def of(records: list[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def reasons(records: list[Record]) -> list[tuple[str, str]]:
    return [(left.kind, left.reason) for left in of(records, Excluded)]


@pytest.mark.parametrize(("box", "corners"), [("xyxy", [10, 20, 30, 25]), ("xywh", [10, 20, 40, 45])])
def test_the_option_says_what_the_four_numbers_mean(tmp_path: Path, box: str, corners: list[int]) -> None:
    (question,) = of(read(tmp_path, row(), box=box), Question)
    assert [(gold.source_id, gold.region) for gold in question.gold] == [("spots/pc_a.png", {"bbox": corners})]


@pytest.mark.parametrize("box", [None, "", "normalised"])
def test_a_convention_is_never_guessed(tmp_path: Path, box: object) -> None:
    with pytest.raises(BenchError, match=r"`box` is .*xywh or xyxy"):
        read(tmp_path, row(), box=box)


def test_a_screenshot_is_one_source_and_the_session_of_its_rows(tmp_path: Path) -> None:
    records = read(tmp_path, row(), row(instruction="close it", ui_type="text"), group="mobile")
    assert of(records, Document) == [Document("spots/pc_a.png", "pc_a.png", {"width": 100, "height": 50}, [])]
    first, second = of(records, Question)
    assert first.session == second.session == "spots/pc_a.png"
    assert (first.scenario, second.scenario) == ("mobile_icon", "mobile_text")
    assert (second.item, second.about, second.answer_format) == ("screenspot_mobile_v2.json[1]", "pc_a.png", "none")
    assert of(records, Rows) == [
        Rows("document", 1),
        Rows("question", 0),
        Rows("question", 2),
        Rows("question", 0),
    ]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"instruction": " "}, "no_instruction"),
        ({"ui_type": "video"}, "unknown_element_type"),
        ({"bbox": [1, 2, 3]}, "malformed_box"),
        ({"bbox": [1, 2, 3, "4"]}, "malformed_box"),
        ({"bbox": [1, 2, 3, True]}, "malformed_box"),
        ({"bbox": "1,2,3,4"}, "malformed_box"),
        ({"bbox": [1, 2, 1, 4]}, "box_empty"),
        ({"bbox": [1, 4, 3, 2]}, "box_empty"),
        ({"bbox": [90, 2, 101, 4]}, "box_outside_screen"),
        ({"bbox": [-1, 2, 3, 4]}, "box_outside_screen"),
        ({"bbox": [1, 2, 3, 51]}, "box_outside_screen"),
    ],
)
def test_what_is_kept_out(tmp_path: Path, fault: dict[str, Any], reason: str) -> None:
    assert reasons(read(tmp_path, row(**fault))) == [("question", reason)]


def test_a_row_that_contradicts_the_convention_is_kept_out(tmp_path: Path) -> None:
    assert reasons(read(tmp_path, row(bbox=[60, 20, 90, 40]), box="xywh")) == [("question", "box_outside_screen")]


def test_a_box_may_touch_the_edges(tmp_path: Path) -> None:
    assert reasons(read(tmp_path, row(bbox=[0, 0, 100, 50]))) == []


def test_two_sizes_for_one_image_lose_it(tmp_path: Path) -> None:
    records = read(tmp_path, row(), row(img_size=[50, 100], bbox=[1, 2, 3, 4]))
    assert reasons(records) == [("document", "contradicting_img_size")] + [("question", "contradicting_img_size")] * 2
    assert of(records, Rows)[0] == Rows("document", 1)


def test_the_image_is_another_witness_of_the_size(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images/pc_a.png").write_bytes(png((100, 51)))
    assert ("document", "contradicting_img_size") in reasons(read(tmp_path, row()))


def test_without_img_size_the_image_says_it(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images/pc_a.png").write_bytes(png((100, 50)))
    records = read(tmp_path, upstream_row(), upstream_row(img_filename="pc_b.png"), box="xywh")
    assert [document.extent for document in of(records, Document)] == [{"width": 100, "height": 50}]
    assert reasons(records) == [("document", "no_image_size"), ("question", "missing_document")]


def test_images_are_read_within_upstreams_zip(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "screenspotv2_image.zip", "w") as archive:
        archive.writestr("screenspotv2_image/pc_a.png", png((100, 50)))
        archive.writestr("screenspotv2_image/pc_b.png", b"cut")
    records = read(tmp_path, upstream_row(), upstream_row(img_filename="pc_b.png"), box="xywh")
    (question,) = of(records, Question)
    assert question.gold[0].region == {"bbox": [10, 20, 40, 45]}
    assert question.scenario == "desktop_text"
    assert reasons(records) == [("document", "no_image_size"), ("question", "missing_document")]


def test_an_archive_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "screenspotv2_image.zip").write_bytes(b"<html>too many requests</html>")
    with pytest.raises(BenchError, match=r"screenspotv2_image\.zip is no zip archive"):
        read(tmp_path, upstream_row(), box="xywh")


def test_label_faults_come_before_a_missing_document(tmp_path: Path) -> None:
    assert reasons(read(tmp_path, upstream_row(bbox=[1, 2, 0, 4]), box="xywh"))[-1] == ("question", "box_empty")


def test_the_copy(mirror: Path) -> None:
    raw = Raw(mirror / "screenspot-v2", "screenspot-v2", "d98d1bbd", {"box": "xyxy"})
    records = list(screenspot_v2.read(raw))
    assert [(left.item, left.reason) for left in of(records, Excluded)] == [
        ("screenspot_mobile_v2.json[449]", "box_outside_screen")
    ]
    questions = of(records, Question)
    assert (len(of(records, Document)), len(questions)) == (730, 1271)
    assert Counter(question.scenario for question in questions) == {
        "desktop_icon": 140,
        "desktop_text": 194,
        "mobile_icon": 210,
        "mobile_text": 290,
        "web_icon": 203,
        "web_text": 234,
    }
    assert questions[0].question == "close this window"
    assert questions[0].gold[0].region == {"bbox": [910, 78, 954, 112]}
    extents = {document.source_id: document.extent for document in of(records, Document)}
    assert extents[questions[0].session] == {"width": 960, "height": 540}
    assert extents["screenspot-v2/web_6f93090a-81f6-489e-bb35-1a2838b18c01.png"] == {"width": 2560, "height": 1440}


def test_corners_read_as_sizes_are_found_out(mirror: Path) -> None:
    records = list(screenspot_v2.read(Raw(mirror / "screenspot-v2", "screenspot-v2", "d98d1bbd", {"box": "xywh"})))
    assert Counter(left.reason for left in of(records, Excluded))["box_outside_screen"] > 600
