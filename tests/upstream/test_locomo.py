"""LoCoMo: sessions and turns, each fault of its evidence, and its labels in three states."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench.errors import BenchError
from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows
from bench.upstream.locomo import read


def turn(dia_id: str, text: str, speaker: str = "Ida", **other: str) -> dict[str, Any]:
    return {"speaker": speaker, "dia_id": dia_id, "text": text, **other}


CONVERSATION = {
    "speaker_a": "Ida",
    "speaker_b": "Bo",
    "session_1": [turn("D1:1", "I bought a boat."), turn("D1:2", "Which colour?", "Bo", blip_caption="a red boat")],
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_10": [turn("D10:1", "The boat sank.")],
    "session_10_date_time": "12:05 am on 1 January, 2024",
    "session_2": [turn("D2:1", "I painted it.")],
    "session_2_date_time": "9:00 am on 25 May, 2023",
    "session_20_date_time": "9:00 am on 25 May, 2025",
}


def asked(*evidence: str, category: int = 1, **other: Any) -> dict[str, Any]:
    return {"question": "What happened?", "answer": "a boat", "evidence": list(evidence), "category": category, **other}


def trap(**other: Any) -> dict[str, Any]:
    return {"question": "Who sold it?", "adversarial_answer": "Bo", "evidence": ["D1:2"], "category": 5, **other}


def correction(row: int, **other: Any) -> dict[str, Any]:
    return {
        "question_id": f"locomo_0_qa{row}",
        "question": "What happened?",
        "error_type": "WRONG_CITATION",
        "correct_evidence": ["D2:1"],
        "correct_answer": "a boat",
        **other,
    }


def release(folder: Path, *qa: dict[str, Any], errors: tuple[dict[str, Any], ...] = (), **options: str) -> Raw:
    samples = [{"sample_id": "conv-1", "conversation": CONVERSATION, "qa": qa}]
    (folder / "audit").mkdir()
    (folder / "corrected-by-dial481").mkdir()
    (folder / "locomo10.json").write_text(json.dumps(samples))
    (folder / "corrected-by-dial481" / "locomo10.json").write_text(json.dumps([{**samples[0], "qa": qa[:1]}]))
    (folder / "audit" / "errors.json").write_text(json.dumps(errors))
    return Raw(folder, "locomo", "1", options)


def of(kind: type[Any], records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def reasons(records: list[Record]) -> dict[str, int]:
    return Counter(record.reason for record in of(Excluded, records))


def assert_all_rows_are_accounted_for(records: list[Record]) -> None:
    for kind, made in (("document", Document), ("question", Question)):
        rows = sum(record.total for record in of(Rows, records) if record.kind == kind)
        left_out = sum(record.kind == kind for record in of(Excluded, records))
        assert rows == len(of(made, records)) + left_out


def test_a_session_is_a_source_of_its_conversation(tmp_path: Path) -> None:
    documents = of(Document, list(read(release(tmp_path))))
    # A date without turns is no session, and sessions stand in the order of their numbers.
    assert [(document.source_id, document.observed_at, document.extent) for document in documents] == [
        ("locomo/conv-1/session_1", "2023-05-08T13:56:00Z", {"turns": 2}),
        ("locomo/conv-1/session_2", "2023-05-25T09:00:00Z", {"turns": 1}),
        ("locomo/conv-1/session_10", "2024-01-01T00:05:00Z", {"turns": 1}),
    ]
    assert documents[0].units == [
        ({"turn": 1}, "Ida: I bought a boat."),
        ({"turn": 2}, "Bo: Which colour? [shares an image: a red boat]"),
    ]
    assert {document.holder for document in documents} == {"locomo:conv-1"}


def test_a_question_is_asked_of_the_whole_conversation_after_it(tmp_path: Path) -> None:
    records = list(read(release(tmp_path, asked("D10:1", "D1:2", category=2))))
    (question,) = of(Question, records)
    assert question.gold == [
        Gold("locomo/conv-1/session_10", {"turn": 1}),
        Gold("locomo/conv-1/session_1", {"turn": 2}),
    ]
    assert (question.holder, question.session, question.as_of) == ("locomo:conv-1", None, "2024-01-01T00:05:00Z")
    assert (question.item, question.about, question.scenario) == ("conv-1/qa/0", "conv-1", "temporal")
    assert (question.answer, question.answer_format, question.unanswerable) == ("a boat", "str", False)
    assert_all_rows_are_accounted_for(records)


def test_an_answer_that_is_a_number_stays_one(tmp_path: Path) -> None:
    (question,) = of(Question, list(read(release(tmp_path, asked("D1:1", answer=2022)))))
    assert (question.answer, question.answer_format) == (2022, "int")


def test_the_category_names_the_scenario(tmp_path: Path) -> None:
    questions = of(Question, list(read(release(tmp_path, *(asked("D1:1", category=n) for n in range(1, 5)), trap()))))
    assert [question.scenario for question in questions] == [
        "multi_hop",
        "temporal",
        "open_domain",
        "single_hop",
        "adversarial",
    ]


def test_category_5_is_unanswerable_and_its_traps_are_not_gold(tmp_path: Path) -> None:
    records = list(read(release(tmp_path, trap(), trap(answer="No"))))
    for question in of(Question, records):
        assert (question.gold, question.answer, question.answer_format) == ([], None, "none")
        assert question.unanswerable
    assert of(Resolved, records) == [Resolved("conv-1/qa/1", "answer_on_adversarial", "answer", "No", None)]


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        ([], "no_evidence"),
        (["D1:1; D2:1"], "compound_evidence"),
        (["D1:1 D2:1"], "compound_evidence"),
        (["D"], "malformed_evidence"),
        (["D:1:2"], "malformed_evidence"),
        (["D1:1 "], "malformed_evidence"),
        (["D1:9"], "evidence_names_no_turn"),
        (["D20:1"], "evidence_names_no_turn"),
        (["D1:1", "D1:0"], "evidence_names_no_turn"),
    ],
)
def test_faulty_evidence_is_left_out_with_its_reason(tmp_path: Path, evidence: list[str], reason: str) -> None:
    records = list(read(release(tmp_path, asked(*evidence))))
    assert reasons(records) == {reason: 1}
    assert of(Excluded, records)[0].detail == (evidence[-1] if evidence else "[]")
    assert of(Question, records) == []
    assert_all_rows_are_accounted_for(records)


def test_padded_and_repeated_ids_are_resolved_with_what_stood_there(tmp_path: Path) -> None:
    records = list(read(release(tmp_path, asked("D1:01"), asked("D1:2", "D1:2"))))
    assert of(Resolved, records) == [
        Resolved("conv-1/qa/0", "zero_padded_evidence", "evidence", "D1:01", "D1:1"),
        Resolved("conv-1/qa/1", "evidence_listed_twice", "evidence", ["D1:2", "D1:2"], "D1:2"),
    ]
    assert [question.gold for question in of(Question, records)] == [
        [Gold("locomo/conv-1/session_1", {"turn": 1})],
        [Gold("locomo/conv-1/session_1", {"turn": 2})],
    ]


def test_corrected_labels_are_another_file(tmp_path: Path) -> None:
    records = list(read(release(tmp_path, asked("D1:1"), asked("D1:2"), labels="corrected")))
    assert len(of(Question, records)) == 1


def test_the_audit_is_applied_row_by_row_and_listed(tmp_path: Path) -> None:
    errors = (correction(0), correction(1, error_type="HALLUCINATION", correct_answer="a ship"))
    records = list(read(release(tmp_path, asked("D1:1"), asked("D2:1"), asked("D1:2"), errors=errors, labels="audit")))
    assert of(Resolved, records) == [
        Resolved("conv-1/qa/0", "audit_wrong_citation", "evidence", ["D1:1"], ["D2:1"]),
        Resolved("conv-1/qa/1", "audit_hallucination", "answer", "a boat", "a ship"),
    ]
    assert [(question.answer, question.gold[0].source_id) for question in of(Question, records)] == [
        ("a boat", "locomo/conv-1/session_2"),
        ("a ship", "locomo/conv-1/session_2"),
        ("a boat", "locomo/conv-1/session_1"),
    ]


def test_an_audit_of_other_questions_is_refused(tmp_path: Path) -> None:
    raw = release(tmp_path, asked("D1:1"), errors=(correction(0, question="Who?"),), labels="audit")
    with pytest.raises(BenchError, match="audit row locomo_0_qa0 asks another question than conv-1/qa/0"):
        list(read(raw))
    (tmp_path / "audit" / "errors.json").write_text(json.dumps([correction(7)]))
    with pytest.raises(BenchError, match="corrects questions that are not there: locomo_0_qa7"):
        list(read(raw))


def test_labels_of_no_release_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="labels is 'best'; allowed: original, corrected, audit"):
        list(read(release(tmp_path, labels="best")))


@pytest.mark.parametrize(
    ("labels", "questions", "left_out", "resolved"),
    [
        (
            "original",
            1974,
            {"no_evidence": 4, "compound_evidence": 4, "evidence_names_no_turn": 2, "malformed_evidence": 2},
            {"answer_on_adversarial": 2, "evidence_listed_twice": 1, "zero_padded_evidence": 1},
        ),
        (
            "corrected",
            1974,
            {"no_evidence": 4, "compound_evidence": 3, "evidence_names_no_turn": 2, "malformed_evidence": 2},
            {"answer_on_adversarial": 2, "evidence_listed_twice": 1, "zero_padded_evidence": 1},
        ),
        (
            "audit",
            1977,
            {"no_evidence": 5, "compound_evidence": 3, "malformed_evidence": 1},
            {
                "audit_wrong_citation": 78,
                "audit_hallucination": 51,
                "audit_temporal_error": 31,
                "audit_attribution_error": 31,
                "audit_ambiguous": 21,
                "audit_incomplete": 5,
                "answer_on_adversarial": 2,
                "evidence_listed_twice": 1,
            },
        ),
    ],
)
def test_the_real_release_in_each_state(
    mirror: Path, labels: str, questions: int, left_out: dict[str, int], resolved: dict[str, int]
) -> None:
    records = list(read(Raw(mirror / "locomo", "locomo", "3eb6f2c5", {"labels": labels})))
    documents = of(Document, records)
    assert (len(documents), sum(document.extent["turns"] for document in documents)) == (272, 5882)
    assert len(of(Question, records)) == questions
    assert reasons(records) == left_out
    assert Counter(record.rule for record in of(Resolved, records)) == resolved
    assert_all_rows_are_accounted_for(records)


def test_the_real_faults_stand_where_they_are_known(mirror: Path) -> None:
    records = list(read(Raw(mirror / "locomo", "locomo", "3eb6f2c5", {})))
    faults = {record.item: record.reason for record in of(Excluded, records)}
    assert {item for item, reason in faults.items() if reason == "no_evidence"} == {
        "conv-26/qa/30",
        "conv-26/qa/46",
        "conv-50/qa/39",
        "conv-50/qa/42",
    }
    assert {item for item, reason in faults.items() if reason == "compound_evidence"} == {
        "conv-26/qa/37",
        "conv-49/qa/31",
        "conv-49/qa/38",
        "conv-49/qa/46",
    }
    assert faults["conv-42/qa/88"] == faults["conv-43/qa/18"] == "malformed_evidence"
    assert faults["conv-42/qa/58"] == faults["conv-47/qa/38"] == "evidence_names_no_turn"
    assert {(record.item, record.rule) for record in of(Resolved, records)} == {
        ("conv-26/qa/167", "answer_on_adversarial"),
        ("conv-26/qa/178", "answer_on_adversarial"),
        ("conv-50/qa/69", "zero_padded_evidence"),
        ("conv-50/qa/5", "evidence_listed_twice"),
    }
    questions = of(Question, records)
    assert Counter(question.scenario for question in questions if question.unanswerable) == {"adversarial": 446}
    assert sum(question.answer_format == "int" for question in questions) == 6
