"""WebSRC: each treatment on a tiny page of its own, then the counts and some rows of the real sample."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bench.errors import BenchError
from bench.upstream import websrc
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows

HTML = """<html tid="0"><body tid="1"><div tid="2"><p tid="3"> Price <b tid="4"> 12 EUR </b> today </p>
<img tid="5"/><i tid="6"> ( </i><span tid="7">hidden</span><u tid="8">below</u></div></body></html>"""


def rect(x: float, y: float, width: float, height: float) -> dict[str, Any]:
    return {"rect": {"x": x, "y": y, "width": width, "height": height}}


ELEMENTS = {
    "2": rect(300, 500, 200, 400),
    "3": rect(310, 510, 100, 20),
    "4": rect(350.5, 510, 40, 20),
    "5": rect(310, 540, 60, 60),
    "6": rect(310, 530, 4, 10),
    "7": rect(0, 0, 0, 0),
    "8": rect(310, 590, 50, 20),
}


def row(**changes: str) -> dict[str, str]:
    full = {"question": "How much is it?", "id": "bo010000100000", "element_id": "4", "answer_start": "0"}
    return full | {"answer": "12 EUR"} | changes


def read(
    directory: Path, *rows: dict[str, str], elements: dict[str, Any] = ELEMENTS, size: tuple[int, int] = (200, 100)
) -> list[Record]:
    """One site with one page; its screenshot ends before the page's root does."""
    page = directory / "book/01/processed_data/0100001"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.with_suffix(".html").write_text(HTML, "utf-8")
    page.with_suffix(".json").write_text(json.dumps(elements), "utf-8")
    page.with_suffix(".txt").write_text("A shop\nhttps://shop.example/a\n", "utf-8")
    if not page.with_suffix(".png").exists():
        Image.new("RGB", size).save(page.with_suffix(".png"))
    with (directory / "book/01/dataset.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row()))
        writer.writeheader()
        writer.writerows(rows)
    return list(websrc.read(Raw(directory, "pages", "r1", {})))


def of(records: list[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def reasons(records: list[Record]) -> list[tuple[str, str]]:
    return [(left.kind, left.reason) for left in of(records, Excluded)]


def test_a_page_is_its_screenshot_with_the_elements_that_have_words(tmp_path: Path) -> None:
    (document,) = of(read(tmp_path), Document)
    assert document == Document(
        source_id="pages/book/0100001",
        title="A shop",
        extent={"width": 200, "height": 100},
        units=[
            ({"bbox": [10, 10, 110, 30]}, "Price today"),
            ({"bbox": [50.5, 10, 90.5, 30]}, "12 EUR"),
        ],
    )


def test_a_question_is_asked_about_its_page_and_found_in_an_element(tmp_path: Path) -> None:
    records = read(tmp_path, row())
    (question,) = of(records, Question)
    assert question.item == "book/01/dataset.csv[0]"
    assert question.session == question.gold[0].source_id == "pages/book/0100001"
    assert question.gold[0].region == {"bbox": [50.5, 10, 90.5, 30]}
    assert (question.answer, question.answer_format) == ("12 EUR", "str")
    assert (question.about, question.scenario) == ("bo0100001", "book")
    assert of(records, Rows) == [Rows("document", 1), Rows("question", 1)]


def test_an_element_without_words_may_be_gold(tmp_path: Path) -> None:
    (question,) = of(read(tmp_path, row(element_id="5")), Question)
    assert question.gold[0].region == {"bbox": [10, 40, 70, 100]}


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"id": "bo01"}, "malformed_id"),
        ({"id": ""}, "malformed_id"),
        ({"id": "BO010000100000"}, "malformed_id"),
        ({"id": "xx010000100000"}, "unknown_domain"),
        ({"question": " "}, "no_question"),
        ({"element_id": "-1"}, "yes_no_question"),
        ({"element_id": ""}, "malformed_element_id"),
        ({"element_id": "4.0"}, "malformed_element_id"),
        ({"id": "bo010000200000"}, "missing_document"),
        ({"id": "bo010000200000", "element_id": "-1"}, "yes_no_question"),
        ({"element_id": "99"}, "element_not_on_page"),
        ({"element_id": "7"}, "element_without_area"),
        ({"element_id": "8"}, "element_outside_screenshot"),
    ],
)
def test_what_is_kept_out(tmp_path: Path, fault: dict[str, str], reason: str) -> None:
    assert reasons(read(tmp_path, row(**fault))) == [("question", reason)]


def test_pages_that_cannot_be_sources(tmp_path: Path) -> None:
    lost = ("question", "missing_document")
    assert reasons(read(tmp_path / "a", row(), elements={})) == [("document", "page_without_root"), lost]
    assert reasons(read(tmp_path / "b", row(), size=(201, 100))) == [("document", "screenshot_not_of_root"), lost]
    read(tmp_path / "c", row())
    screenshot = tmp_path / "c/book/01/processed_data/0100001.png"
    screenshot.write_bytes(b"no image")
    assert reasons(read(tmp_path / "c", row())) == [("document", "unreadable_image"), lost]
    screenshot.unlink()
    records = list(websrc.read(Raw(tmp_path / "c", "pages", "r1", {})))
    assert reasons(records) == [("document", "no_screenshot"), lost]
    assert Rows("document", 1) in records


def test_text_belongs_to_the_innermost_element() -> None:
    html = (
        '<p tid="1">a<br>b <b tid="2">c</b> d</p></div><p tid="3">&amp; <li tid="4">e</p>f<script tid="5">g()</script>'
    )
    assert websrc.own_texts(html) == {"1": "a b d", "2": "c", "4": "e"}


def test_a_source_without_sites_or_columns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"no <domain>/<site>/dataset.csv"):
        list(websrc.read(Raw(tmp_path, "pages", "r1", {})))
    read(tmp_path)
    (tmp_path / "book/01/dataset.csv").write_text("question,id\n", "utf-8")
    with pytest.raises(BenchError, match="lacks the columns answer, element_id"):
        list(websrc.read(Raw(tmp_path, "pages", "r1", {})))


def test_the_sample(mirror: Path) -> None:
    records = list(websrc.read(Raw(mirror / "websrc-sample", "websrc-sample", "50695bca", {})))
    documents, questions = of(records, Document), of(records, Question)
    assert Counter(reasons(records)) == {("question", "yes_no_question"): 4}
    assert (len(documents), len(questions)) == (18, 26)
    assert Counter(question.scenario for question in questions) == {
        "auto": 10,
        "book": 5,
        "camera": 5,
        "movie": 1,
        "sports": 5,
    }
    length = next(question for question in questions if question.item == "auto/03/dataset.csv[0]")
    page = next(document for document in documents if document.source_id == length.session)
    assert page.title == "2020 Toyota 4Runner Limited 4dr 4x2 Specs and Prices"
    assert page.extent == {"width": 1000, "height": 607}
    # Drawn in the screenshot at (431..470, 353..377), right-aligned in its cell.
    assert length.gold[0].region == {"bbox": [315, 353, 470, 377]}
    assert ({"bbox": [315, 353, 470, 377]}, length.answer) in page.units
    texts = {document.source_id: {str(region): text for region, text in document.units} for document in documents}
    assert all(str(q.gold[0].region) in texts[q.session] for q in questions)
