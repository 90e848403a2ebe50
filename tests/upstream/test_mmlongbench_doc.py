"""MMLongBench-Doc: pages of small PDFs, each fault of their labels, and the real release with its correction."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
from reportlab.pdfgen.canvas import Canvas

from bench.errors import BenchError
from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows
from bench.upstream.mmlongbench_doc import SCENARIOS, read, read_pdf

PLAIN = "plain.pdf"
LABELLED = "labelled.pdf"
MIXED = "698bba.pdf"


def pdf(path: Path, pages: int, labels_from: dict[int, int] | None = None) -> None:
    """`pages` pages; from the ordinal of each key of `labels_from` on, printed numbers count from its value."""
    canvas = Canvas(str(path))
    for ordinal, first in (labels_from or {}).items():
        canvas.addPageLabel(ordinal - 1, style="ARABIC", start=first)
    for number in range(1, pages + 1):
        canvas.drawString(72, 720, f"This is sheet {number}")
        canvas.showPage()
    canvas.save()


def row(pages: str, doc_id: str = PLAIN, **other: str) -> dict[str, str]:
    return {
        "doc_id": doc_id,
        "doc_type": "Research report / Introduction",
        "question": "What is on the sheet?",
        "answer": "words",
        "evidence_pages": pages,
        "evidence_sources": "['Chart']",
        "answer_format": "Str",
        **other,
    }


def nothing(pages: str = "[]", **other: str) -> dict[str, str]:
    return row(pages, **{"answer": "Not answerable", "answer_format": "None", **other})


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    (folder / "documents").mkdir()
    pdf(folder / "documents" / PLAIN, 20)
    # Printed 1, 2, 3, then 16, 17, then 280 and on.
    pdf(folder / "documents" / LABELLED, 20, {1: 1, 4: 16, 6: 280})
    pdf(folder / "documents" / MIXED, 20)
    return folder


def records_of(folder: Path, *rows: dict[str, str]) -> list[Record]:
    (folder / "samples.json").write_text(json.dumps(rows))
    return list(read(Raw(folder, "mmlongbench-doc", "1", {})))


def of(kind: type[Any], records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def reasons(records: list[Record]) -> dict[str, str]:
    return {record.item: record.reason for record in of(Excluded, records)}


def assert_all_rows_are_accounted_for(records: list[Record]) -> None:
    for kind, made in (("document", Document), ("question", Question)):
        rows = sum(record.total for record in of(Rows, records) if record.kind == kind)
        left_out = sum(record.kind == kind for record in of(Excluded, records))
        assert rows == len(of(made, records)) + left_out


def test_a_pdf_is_a_source_and_its_pages_are_units(documents: Path) -> None:
    found = of(Document, records_of(documents))
    assert [(document.source_id, document.extent) for document in found] == [
        ("mmlongbench-doc/698bba.pdf", {"pages": 20}),
        ("mmlongbench-doc/labelled.pdf", {"pages": 20}),
        ("mmlongbench-doc/plain.pdf", {"pages": 20}),
    ]
    assert found[2].units[16] == ({"page": 17}, "This is sheet 17")
    assert (found[2].title, found[2].holder, found[2].observed_at) == ("plain", None, None)


def test_printed_labels_are_kept_where_they_differ_from_ordinals(documents: Path) -> None:
    assert read_pdf(documents / "documents" / PLAIN).labels == {}
    labels = read_pdf(documents / "documents" / LABELLED).labels
    assert (labels["16"], labels["17"], labels["280"], labels["294"]) == (4, 5, 6, 20)
    assert "1" not in labels


def test_a_question_is_asked_about_its_document(documents: Path) -> None:
    records = records_of(documents, row("[2, 5]"))
    (question,) = of(Question, records)
    assert question.gold == [
        Gold("mmlongbench-doc/plain.pdf", {"page": 2}),
        Gold("mmlongbench-doc/plain.pdf", {"page": 5}),
    ]
    assert (question.session, question.about, question.item) == ("mmlongbench-doc/plain.pdf", PLAIN, "samples[0]")
    assert (question.scenario, question.holder, question.as_of) == ("research_report_introduction", None, None)
    assert_all_rows_are_accounted_for(records)


@pytest.mark.parametrize(
    ("pages", "doc_id", "reason"),
    [
        ("[0]", PLAIN, "page_zero"),
        ("[3, 0]", PLAIN, "page_zero"),
        ("[3, 4, 1418, 20]", PLAIN, "page_beyond_document"),
        ("[21]", PLAIN, "page_beyond_document"),
        ("[280, 281]", LABELLED, "printed_page_label"),
        ("[500]", LABELLED, "page_beyond_document"),
        ("[2, 3, 9, 4, 5]", PLAIN, "pages_not_ascending"),
        ("[7, 17]", MIXED, "mixed_numbering"),
        ("[]", PLAIN, "no_evidence_pages"),
        ("['two']", PLAIN, "malformed_pages"),
        ("page 2", PLAIN, "malformed_pages"),
        ("[2]", "gone.pdf", "missing_document"),
    ],
)
def test_faulty_pages_are_left_out_with_their_reason(documents: Path, pages: str, doc_id: str, reason: str) -> None:
    records = records_of(documents, row(pages, doc_id))
    assert reasons(records) == {"samples[0]": reason}
    assert pages in of(Excluded, records)[0].detail or reason == "missing_document"
    assert_all_rows_are_accounted_for(records)


def test_other_pages_of_the_document_with_a_mixed_row_are_kept(documents: Path) -> None:
    assert reasons(records_of(documents, row("[7, 18]", MIXED), row("[7, 17]", PLAIN))) == {}


def test_printed_labels_in_range_are_silent_until_a_row_shows_the_convention(documents: Path) -> None:
    in_range, same, beyond = row("[16, 17]", LABELLED), row("[2]", LABELLED), row("[280]", LABELLED)
    assert reasons(records_of(documents, in_range, same)) == {}
    assert reasons(records_of(documents, in_range, same, beyond)) == {
        "samples[0]": "printed_page_label",
        "samples[2]": "printed_page_label",
    }
    # Context of an unanswerable row says nothing about the convention.
    assert reasons(records_of(documents, in_range, nothing("[280]", doc_id=LABELLED))) == {}


@pytest.mark.parametrize(
    ("pages", "reason"),
    [
        ("[0]", "page_zero"),
        ("[]", "no_evidence_pages"),
        ("[3, 2]", "pages_not_ascending"),
        ("[1418]", "missing_document"),
    ],
)
def test_label_faults_come_before_a_missing_document(documents: Path, pages: str, reason: str) -> None:
    assert reasons(records_of(documents, row(pages, "gone.pdf"))) == {"samples[0]": reason}


def test_unanswerable_is_what_answer_and_format_say_together(documents: Path) -> None:
    records = records_of(
        documents,
        nothing(),
        nothing("[0, 3]"),
        nothing(answer_format="Str"),
        nothing(answer="3"),
        nothing(doc_id="gone.pdf"),
    )
    questions = of(Question, records)
    assert [(question.item, question.gold, question.answer) for question in questions] == [
        ("samples[0]", [], None),
        ("samples[1]", [], None),
    ]
    assert all(question.unanswerable and question.answer_format == "none" for question in questions)
    assert of(Resolved, records) == [Resolved("samples[1]", "pages_on_unanswerable", "evidence_pages", [0, 3], [])]
    assert reasons(records) == {
        "samples[2]": "unanswerable_contradicts_format",
        "samples[3]": "unanswerable_contradicts_format",
        "samples[4]": "missing_document",
    }
    assert_all_rows_are_accounted_for(records)


def test_a_page_listed_twice_is_one_gold_page(documents: Path) -> None:
    records = records_of(documents, row("[6, 6, 6]"))
    assert of(Question, records)[0].gold == [Gold("mmlongbench-doc/plain.pdf", {"page": 6})]
    assert of(Resolved, records) == [Resolved("samples[0]", "page_listed_twice", "evidence_pages", [6, 6, 6], [6])]


@pytest.mark.parametrize(
    ("raw", "declared", "answer", "answer_format"),
    [
        ("12", "Int", 12, "int"),
        ("0.5", "Float", 0.5, "float"),
        ("['a', 'b']", "List", ["a", "b"], "list"),
        ("85%", "Float", "85%", "str"),
        ("1,200", "Int", "1,200", "str"),
        ("92", "List", "92", "str"),
        ("12", "Str", "12", "str"),
    ],
)
def test_answers_take_their_format_or_stay_text(
    documents: Path, raw: str, declared: str, answer: object, answer_format: str
) -> None:
    records = records_of(documents, row("[2]", answer=raw, answer_format=declared))
    (question,) = of(Question, records)
    assert (question.answer, question.answer_format) == (answer, answer_format)
    resolved = {record.rule for record in of(Resolved, records)}
    assert resolved == ({"answer_not_in_its_format"} if declared.lower() != answer_format else set())


def test_the_parquet_of_the_hub_reads_alike(documents: Path) -> None:
    rows = [row("[2]"), nothing()]
    expected = records_of(documents, *rows)
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), documents / "train.parquet")
    found = list(read(Raw(documents, "mmlongbench-doc", "1", {"labels": "train.parquet"})))
    assert found == expected


def test_labels_that_are_not_there_are_named(documents: Path) -> None:
    with pytest.raises(BenchError, match=r"mmlongbench-doc: best\.json is missing"):
        list(read(Raw(documents, "mmlongbench-doc", "1", {"labels": "best.json"})))


@pytest.fixture(scope="module")
def current(mirror: Path) -> list[Record]:
    return list(read(Raw(mirror / "mmlongbench-doc", "mmlongbench-doc", "d73f0dc0", {})))


def test_the_real_release(current: list[Record]) -> None:
    assert [(rows.kind, rows.total) for rows in of(Rows, current)] == [("document", 48), ("question", 1082)]
    assert Counter(reasons(current).values()) == {
        "missing_document": 620,
        "no_evidence_pages": 12,
        "printed_page_label": 5,
        "page_zero": 3,
        "pages_not_ascending": 3,
        "mixed_numbering": 1,
    }
    assert Counter(record.rule for record in of(Resolved, current)) == {
        "answer_not_in_its_format": 32,
        "pages_on_unanswerable": 5,
        "page_listed_twice": 1,
    }
    questions = of(Question, current)
    assert (len(questions), sum(question.unanswerable for question in questions)) == (438, 95)
    assert {question.scenario for question in questions} <= set(SCENARIOS)
    assert_all_rows_are_accounted_for(current)


def test_the_real_faults_stand_where_they_are_known(current: list[Record]) -> None:
    rows_of: dict[str, set[int]] = {}
    for item, reason in reasons(current).items():
        rows_of.setdefault(reason, set()).add(int(item.removeprefix("samples[").removesuffix("]")))
    assert rows_of["page_zero"] == {144, 189, 938}
    assert rows_of["printed_page_label"] == {783, 784, 787, 788, 790}
    assert rows_of["mixed_numbering"] == {822}
    # 704 is the lost comma; without its PDF, that 1418 stands before 20 is what shows.
    assert rows_of["pages_not_ascending"] == {704, 745, 819}
    assert rows_of["no_evidence_pages"] == {29, 268, 408, 430, 450, 584, 591, 599, 746, 759, 939, 977}


def test_the_authors_correction_changes_one_question_here(mirror: Path, current: list[Record]) -> None:
    raw = Raw(mirror / "mmlongbench-doc", "mmlongbench-doc", "d73f0dc0", {"labels": "samples.88b5f09f.json"})
    before = list(read(raw))
    rows = [json.loads((raw.directory / name).read_bytes()) for name in ("samples.88b5f09f.json", "samples.json")]
    assert [number for number, pair in enumerate(zip(*rows, strict=True)) if pair[0] != pair[1]] == [132, 570]
    assert reasons(before)["samples[132]"] == "page_zero"
    assert reasons(before)["samples[570]"] == reasons(current)["samples[570]"] == "missing_document"
    entered = [question for question in of(Question, current) if question not in of(Question, before)]
    assert [(question.item, question.gold) for question in entered] == [
        ("samples[132]", [Gold("mmlongbench-doc/379f44022bb27aa53efd5d322c7b57bf.pdf", {"page": 1})])
    ]
    assert len(of(Question, current)) == len(of(Question, before)) + 1
    assert_all_rows_are_accounted_for(before)


def test_the_first_release_is_another_set(mirror: Path) -> None:
    raw = Raw(mirror / "mmlongbench-doc", "mmlongbench-doc", "d73f0dc0", {"labels": "samples.04524e71.json"})
    records = list(read(raw))
    assert [rows.total for rows in of(Rows, records)] == [48, 1091]
    assert_all_rows_are_accounted_for(records)
