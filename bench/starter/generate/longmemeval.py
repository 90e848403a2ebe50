"""LongMemEval: longmemeval_oracle.json, instances whose haystack holds little more than the evidence.

Faults on purpose: an answer session that the haystack lacks, a session listed twice, a date that is none, an empty
session, an instance that repeats. Sessions may lie after the question's date, as upstream's do.
"""

from typing import Any

from bench.starter.generate.files import json_bytes, sections, text_blocks

_ROLES = {"U": "user", "A": "assistant"}


def files() -> dict[str, bytes]:
    """The oracle file."""
    instances = [_instance(heading, body) for heading, body in text_blocks("longmemeval")]
    instances[2]["answer"] = int(instances[2]["answer"])
    return {"longmemeval_oracle.json": json_bytes([*instances, *_faulty(instances)], indent=1)}


def _instance(heading: str, body: str) -> dict[str, Any]:
    question_id, question_type, date, _ = heading.split(" | ")
    question, answer = body.split("\n")[:2]
    instance: dict[str, Any] = {
        "question_id": question_id,
        "question_type": question_type,
        "question": question,
        "answer": answer,
        "question_date": date,
        "haystack_dates": [],
        "haystack_session_ids": [],
        "haystack_sessions": [],
        "answer_session_ids": [],
    }
    for title, lines in sections(body):
        session_id, moment = title.split(" | ")
        evidence = session_id.startswith("answer")
        instance["haystack_dates"].append(moment)
        instance["haystack_session_ids"].append(session_id)
        instance["haystack_sessions"].append([_turn(line, evidence) for line in lines])
        if evidence:
            instance["answer_session_ids"].append(session_id)
    return instance


def _turn(line: str, evidence: bool) -> dict[str, Any]:
    mark, content = line.split(": ", 1)
    turn: dict[str, Any] = {"role": _ROLES[mark[0]], "content": content}
    if evidence:  # turns of other sessions lack the key
        turn["has_answer"] = mark.endswith("*")
    return turn


def _faulty(instances: list[dict[str, Any]]) -> list[dict[str, Any]]:
    dog, rice, _, race, *_ = instances
    return [
        {**dog, "question_id": "st_f001", "question": "How old was the dog?", "answer_session_ids": ["answer_gone"]},
        {**rice, "question_id": "st_f002", "question": "For how many guests is the rice?",
         "haystack_session_ids": ["answer_1b22", "answer_1b22"]},
        {**race, "question_id": "st_f003", "question": "Which sport follows the record?",
         "haystack_dates": ["2024/06/01 (Sat) 09:30", "2024/06/31 (Mon) 10:00"]},
        {**race, "question_id": "st_f004", "question": "Which training was advised?",
         "haystack_sessions": [race["haystack_sessions"][0], []]},
        dog,
    ]  # fmt: skip
