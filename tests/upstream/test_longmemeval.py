"""LongMemEval: each fault in a tiny release, and its streaming. The real files cannot be fetched here."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from bench.errors import BenchError
from bench.records import Gold
from bench.registry import load_source, source_names
from bench.upstream import longmemeval
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows

FILE = "longmemeval_oracle.json"


def instance(**changes: Any) -> dict[str, Any]:
    """Two sessions: a filler, then one whose second turn holds the answer."""
    return {
        "question_id": "q1",
        "question_type": "single-session-assistant",
        "question": "Which tea did you recommend to me?",
        "answer": "Oolong",
        "question_date": "2023/05/01 (Mon) 10:00",
        "haystack_dates": ["2023/04/10 (Mon) 23:07", "2023/04/12 (Wed) 08:30"],
        "haystack_session_ids": ["filler_1", "answer_1"],
        "haystack_sessions": [
            [{"role": "user", "content": "Hello"}],
            [
                {"role": "user", "content": "Which tea?", "has_answer": False},
                {"role": "assistant", "content": "Oolong.", "has_answer": True},
            ],
        ],
        "answer_session_ids": ["answer_1"],
    } | changes


def read(directory: Path, *instances: dict[str, Any], name: str = FILE) -> list[Record]:
    (directory / name).write_text(json.dumps(instances), "utf-8")
    records = list(longmemeval.read(Raw(directory, "longmemeval", "r1", {"file": name})))
    for kind, kept in (("document", Document), ("question", Question)):
        excluded = sum(left.kind == kind for left in of(records, Excluded))
        total = sum(rows.total for rows in of(records, Rows) if rows.kind == kind)
        assert total == len(of(records, kept)) + excluded, kind
    return records


def of(records: list[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def reasons(records: list[Record]) -> list[tuple[str, str, str]]:
    return [(left.kind, left.item, left.reason) for left in of(records, Excluded)]


@pytest.mark.parametrize("name", longmemeval.FILES)
def test_sessions_turns_and_gold_of_every_release(tmp_path: Path, name: str) -> None:
    records = read(tmp_path, instance(), name=name)
    assert of(records, Document) == [
        Document(
            source_id="longmemeval/q1/1",
            title="filler_1",
            extent={"turns": 1},
            units=[({"turn": 1}, "user: Hello")],
            holder="longmemeval:q1",
            observed_at="2023-04-10T23:07:00Z",
        ),
        Document(
            source_id="longmemeval/q1/2",
            title="answer_1",
            extent={"turns": 2},
            units=[({"turn": 1}, "user: Which tea?"), ({"turn": 2}, "assistant: Oolong.")],
            holder="longmemeval:q1",
            observed_at="2023-04-12T08:30:00Z",
        ),
    ]
    assert of(records, Question) == [
        Question(
            item="q1",
            about="q1",
            question="Which tea did you recommend to me?",
            answer="Oolong",
            answer_format="str",
            gold=[Gold("longmemeval/q1/2", {"turn": 2})],
            scenario="single_session_assistant",
            holder="longmemeval:q1",
            as_of="2023-05-01T10:00:00Z",
        )
    ]


@pytest.mark.parametrize(("answer", "answer_format"), [(3, "int"), (2.5, "float"), ("3", "str")])
def test_answers_keep_their_type(tmp_path: Path, answer: Any, answer_format: str) -> None:
    (question,) = of(read(tmp_path, instance(answer=answer)), Question)
    assert (question.answer, question.answer_format) == (answer, answer_format)
    assert type(question.answer) is type(answer)


def test_abs_at_the_end_of_the_question_id_and_nothing_else_is_unanswerable(tmp_path: Path) -> None:
    sessions = ["filler_1", "answer_1_abs_1"]
    records = read(
        tmp_path,
        instance(question_id="q1_abs", haystack_session_ids=sessions, answer_session_ids=sessions[1:]),
        instance(question_id="q1_abs_2", haystack_session_ids=sessions, answer_session_ids=sessions[1:]),
        instance(question_id="q2", answer="You did not mention it."),
    )
    refused, *answered = of(records, Question)
    assert (refused.unanswerable, refused.gold, refused.answer, refused.answer_format) == (True, [], None, "none")
    assert refused.scenario == "single_session_assistant"
    assert of(records, Resolved) == [
        Resolved("q1_abs", "answer_on_unanswerable", "answer", "Oolong", None),
        Resolved("q1_abs", "sessions_on_unanswerable", "answer_session_ids", ["answer_1_abs_1"], []),
    ]
    assert [question.unanswerable for question in answered] == [False, False]


def test_sessions_after_the_question_stay_as_sources(tmp_path: Path) -> None:
    records = read(tmp_path, instance(haystack_dates=["2024/01/01 (Mon) 00:00", "2023/05/01 (Mon) 10:00"]))
    assert [document.observed_at for document in of(records, Document)] == [
        "2024-01-01T00:00:00Z",
        "2023-05-01T10:00:00Z",
    ]
    assert len(of(records, Question)) == 1, "as_of is inclusive"


def test_gold_after_as_of_is_kept_out(tmp_path: Path) -> None:
    records = read(tmp_path, instance(haystack_dates=["2023/04/10 (Mon) 23:07", "2023/05/01 (Mon) 10:01"]))
    assert reasons(records) == [("question", "q1", "gold_after_as_of")]


@pytest.mark.parametrize("date", ["2023/04/10", "2023/04/10 (Mon)"])
def test_a_date_alone_is_its_midnight(tmp_path: Path, date: str) -> None:
    records = read(tmp_path, instance(haystack_dates=[date, "2023/04/12 (Wed) 08:30"]))
    assert of(records, Document)[0].observed_at == "2023-04-10T00:00:00Z"


@pytest.mark.parametrize("date", ["", "yesterday", "2023/02/30 (Thu) 10:00", "2023/04/10 (Mon) 25:00", "10/04/2023"])
def test_an_unparsable_date_is_never_now(tmp_path: Path, date: str) -> None:
    good = "2023/04/10 (Mon) 23:07"
    filler = read(tmp_path, instance(haystack_dates=[date, good]))
    assert reasons(filler) == [("document", "q1/1", "unparsable_date")]
    gold = read(tmp_path, instance(haystack_dates=[good, date]))
    assert reasons(gold) == [("document", "q1/2", "unparsable_date"), ("question", "q1", "missing_document")]
    asked = read(tmp_path, instance(question_date=date))
    assert reasons(asked) == [("question", "q1", "unparsable_date")]


def test_faults_of_labels_come_before_a_missing_document(tmp_path: Path) -> None:
    records = read(
        tmp_path,
        instance(haystack_dates=["2023/04/10", "soon"], answer_session_ids=["answer_1", "answer_9"]),
    )
    assert reasons(records) == [
        ("document", "q1/2", "unparsable_date"),
        ("question", "q1", "evidence_names_no_session"),
    ]


def test_a_question_without_marked_turn_is_kept_out(tmp_path: Path) -> None:
    assert reasons(read(tmp_path, instance(answer_session_ids=["filler_1"]))) == [
        ("question", "q1", "no_evidence_turn")
    ]
    assert reasons(read(tmp_path, instance(answer_session_ids=[]))) == [("question", "q1", "no_evidence_turn")]


def test_an_answer_session_without_marked_turn_adds_nothing(tmp_path: Path) -> None:
    (question,) = of(read(tmp_path, instance(answer_session_ids=["filler_1", "answer_1"])), Question)
    assert question.gold == [Gold("longmemeval/q1/2", {"turn": 2})]


def test_a_marked_turn_outside_the_answer_sessions_is_no_gold(tmp_path: Path) -> None:
    marked = [{"role": "user", "content": "Tea!", "has_answer": True}]
    sessions = [marked, instance()["haystack_sessions"][1]]
    (question,) = of(read(tmp_path, instance(haystack_sessions=sessions)), Question)
    assert question.gold == [Gold("longmemeval/q1/2", {"turn": 2})]


def test_an_answer_session_listed_twice_counts_once(tmp_path: Path) -> None:
    records = read(tmp_path, instance(answer_session_ids=["answer_1", "answer_1"]))
    assert of(records, Question)[0].gold == [Gold("longmemeval/q1/2", {"turn": 2})]
    assert [resolved.rule for resolved in of(records, Resolved)] == ["session_listed_twice"]


def test_a_session_id_at_two_positions_is_two_sources(tmp_path: Path) -> None:
    gold, filler = instance()["haystack_sessions"][1], instance()["haystack_sessions"][0]
    dates = ["2023/04/10", "2023/04/11", "2023/04/12"]
    doubled_filler = instance(
        haystack_dates=dates,
        haystack_session_ids=["filler_1", "filler_1", "answer_1"],
        haystack_sessions=[filler, filler, gold],
    )
    doubled_gold = instance(
        question_id="q2",
        haystack_dates=dates,
        haystack_session_ids=["answer_1", "filler_1", "answer_1"],
        haystack_sessions=[gold, filler, gold],
    )
    records = read(tmp_path, doubled_filler, doubled_gold)
    assert len({document.source_id for document in of(records, Document)}) == 6
    assert reasons(records) == [("question", "q2", "ambiguous_session")]


def test_lists_of_different_lengths_leave_the_instance_out(tmp_path: Path) -> None:
    records = read(
        tmp_path, instance(haystack_dates=["2023/04/10", "2023/04/11", "2023/04/12"]), instance(question_id="q2")
    )
    assert reasons(records) == [
        ("document", "q1/1", "haystack_lists_differ"),
        ("document", "q1/2", "haystack_lists_differ"),
        ("document", "q1/3", "haystack_lists_differ"),
        ("question", "q1", "haystack_lists_differ"),
    ]
    assert of(records, Excluded)[0].detail == "3 dates, 2 ids, 2 sessions"
    assert [question.item for question in of(records, Question)] == ["q2"]


def test_a_question_id_that_stands_twice_does_not_overwrite_the_first(tmp_path: Path) -> None:
    records = read(tmp_path, instance(), instance(question="And which cup?"))
    assert [reason for _, _, reason in reasons(records)] == ["duplicate_question_id"] * 3
    assert [question.question for question in of(records, Question)] == ["Which tea did you recommend to me?"]


def test_an_empty_session_is_no_source(tmp_path: Path) -> None:
    sessions = [[], instance()["haystack_sessions"][1]]
    assert reasons(read(tmp_path, instance(haystack_sessions=sessions))) == [("document", "q1/1", "empty_session")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "holds no instance"),
        (json.dumps(instance()), "holds no instance"),
        (f"{json.dumps(instance())}\n{json.dumps(instance())}\n", "is not JSON after 0 instances"),
        (f"[{json.dumps(instance())}, {{", "is not JSON after 1 instances"),
        (json.dumps([instance(question_type="guesswork")]), r"instance 1 is not as released.*question_type"),
        (json.dumps([instance(), instance(question=None)]), r"instance 2 is not as released.*question"),
        (json.dumps([{"question_id": "q1"}]), "instance 1 is not as released"),
    ],
)
def test_a_file_of_another_format_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / FILE).write_text(text, "utf-8")
    with pytest.raises(BenchError, match=message):
        list(longmemeval.read(Raw(tmp_path, "longmemeval", "r1", {"file": FILE})))


def test_an_unknown_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"file is 'longmemeval_xl'; allowed: longmemeval_oracle, "):
        list(longmemeval.read(Raw(tmp_path, "longmemeval", "r1", {"file": "longmemeval_xl"})))


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "chatter " * 250}] * 10
    with (tmp_path / FILE).open("w", encoding="utf-8") as file:
        for number in range(400):
            file.write("[" if number == 0 else ",")
            json.dump(instance(question_id=f"q{number}", haystack_sessions=[turns, turns]), file)
        file.write("]")
    size = (tmp_path / FILE).stat().st_size
    assert size > 15_000_000
    tracemalloc.start()
    try:
        documents = sum(
            isinstance(record, Document)
            for record in longmemeval.read(Raw(tmp_path, "longmemeval", "r1", {"file": FILE}))
        )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert documents == 800
    assert peak < size / 20, f"a peak of {peak} bytes for a file of {size}"


def test_every_registry_entry_names_its_release_and_waits_to_be_pinned() -> None:
    sources = [load_source(name) for name in source_names() if name.startswith("longmemeval-")]
    assert sorted(source.options["file"] for source in sources) == sorted(longmemeval.FILES)
    for source in sources:
        assert [file.path for file in source.files] == [source.options["file"]]
        assert source.files[0].url.startswith(
            f"hf://datasets/xiaowu0162/{source.url.rpartition('/')[2]}@{source.revision}/"
        )
        assert not source.pinned
        assert source.how_to_get
