"""LoCoMo (snap-research/locomo): ten long conversations with questions on their turns.

source      a session of a conversation, `<dataset>/<sample_id>/session_<n>`; observed_at is its date_time, read as UTC
            since upstream names no zone
unit, gold  a turn, `{turn}` (1-based in its session); upstream's `D8:6` is turn 6 of session 8 of that conversation
query       a row of `qa`, asked by the conversation (holder) of all its sessions, as of its last one
scenario    the category: 1 multi_hop, 2 temporal, 3 open_domain, 4 single_hop, 5 adversarial (map of the paper's code;
            threads that give another are wrong)
unanswerable  category 5, and nothing else: its evidence is the distractor, its adversarial_answer the trap. Neither is
            gold. An `answer` that two of these rows carry besides is set aside as resolved.

Labels have three states (`labels` in params): `original`; `corrected`, the release by dial481; `audit`, the original
with the evidence and answers of dial481's errors.json applied row by row, each listed as resolved.

Kept out, never repaired: rows without evidence (`no_evidence`), several ids in one string (`compound_evidence`: the
obvious split was shown wrong for one), strings that are no id (`malformed_evidence`), ids of no turn
(`evidence_names_no_turn`). Resolved by rule: a zero-padded id, an id listed twice.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from bench.errors import BenchError
from bench.records import Gold
from bench.times import render
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows

_CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}
SCENARIOS = tuple(_CATEGORIES.values())
ASSIGNED = ()
LABELS = {"original": "locomo10.json", "corrected": "corrected-by-dial481/locomo10.json", "audit": "locomo10.json"}
_EVIDENCE = re.compile(r"D(\d+):(\d+)", re.ASCII)


def read(raw: Raw) -> Iterator[Record]:
    """Every session and every question of the release that `labels` names."""
    labels = raw.options.get("labels", "original")
    if labels not in LABELS:
        raise BenchError(f"locomo: labels is {labels!r}; allowed: {', '.join(LABELS)}")
    conversations = raw.json(LABELS[labels])
    audit = {row["question_id"]: row for row in raw.json("audit/errors.json")} if labels == "audit" else {}
    for number, sample in enumerate(conversations):
        conversation = sample["sample_id"]
        holder = f"{raw.dataset}:{conversation}"
        sessions = _sessions(sample["conversation"])
        yield Rows("document", len(sessions))
        for session, (moment, turns) in sorted(sessions.items()):
            yield Document(
                source_id=_source_id(raw.dataset, conversation, session),
                title=f"{conversation}, session {session}",
                extent={"turns": len(turns)},
                units=[({"turn": position}, _text(turn)) for position, turn in enumerate(turns, 1)],
                holder=holder,
                observed_at=moment,
            )
        turns_by_id = {
            turn["dia_id"]: Gold(_source_id(raw.dataset, conversation, session), {"turn": position})
            for session, (_, turns) in sessions.items()
            for position, turn in enumerate(turns, 1)
        }
        as_of = max(moment for moment, _ in sessions.values())
        yield Rows("question", len(sample["qa"]))
        for row, qa in enumerate(sample["qa"]):
            item = f"{conversation}/qa/{row}"
            if correction := audit.pop(f"locomo_{number}_qa{row}", None):
                for change in _corrections(item, qa, correction):
                    yield change
                    qa = {**qa, change.field: change.value}
            yield from _question(item, conversation, holder, qa, turns_by_id, as_of)
    if audit:
        raise BenchError(f"locomo: audit/errors.json corrects questions that are not there: {', '.join(sorted(audit))}")


def _source_id(dataset: str, conversation: str, session: int) -> str:
    return f"{dataset}/{conversation}/session_{session}"


def _sessions(conversation: dict[str, Any]) -> dict[int, tuple[str, list[dict[str, Any]]]]:
    """{number: (observed_at, turns)}. A date without a list of turns (conv-26, sessions 20-35) is no session."""
    found = {}
    for key, turns in conversation.items():
        if (match := re.fullmatch(r"session_(\d+)", key)) and isinstance(turns, list) and turns:
            written = conversation[f"{key}_date_time"]
            moment = datetime.strptime(written, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            found[int(match[1])] = (render(moment), turns)
    return found


def _text(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['speaker']}: {turn['text']}" + (f" [shares an image: {caption}]" if caption else "")


def _corrections(item: str, qa: dict[str, Any], correction: dict[str, Any]) -> Iterator[Resolved]:
    if correction["question"] != qa["question"]:
        raise BenchError(f"locomo: audit row {correction['question_id']} asks another question than {item}")
    rule = f"audit_{correction['error_type'].lower()}"
    for field, key in (("evidence", "correct_evidence"), ("answer", "correct_answer")):
        if str(qa.get(field)) != str(correction[key]):
            yield Resolved(item, rule, field, qa.get(field), correction[key])


def _question(
    item: str, conversation: str, holder: str, qa: dict[str, Any], turns: dict[str, Gold], as_of: str
) -> Iterator[Record]:
    adversarial = qa["category"] == 5
    gold: list[Gold] = []
    if not adversarial:
        for written in qa["evidence"]:
            found = _EVIDENCE.fullmatch(written)
            if not found:
                several = len(_EVIDENCE.findall(written)) > 1
                yield Excluded("question", item, "compound_evidence" if several else "malformed_evidence", written)
                return
            dia_id = f"D{int(found[1])}:{int(found[2])}"
            if dia_id not in turns:
                yield Excluded("question", item, "evidence_names_no_turn", written)
                return
            if dia_id != written:
                yield Resolved(item, "zero_padded_evidence", "evidence", written, dia_id)
            if turns[dia_id] in gold:
                yield Resolved(item, "evidence_listed_twice", "evidence", qa["evidence"], dia_id)
            else:
                gold.append(turns[dia_id])
        if not gold:
            yield Excluded("question", item, "no_evidence", str(qa["evidence"]))
            return
    elif qa.get("answer") is not None:
        yield Resolved(item, "answer_on_adversarial", "answer", qa["answer"], None)
    answer = None if adversarial else qa["answer"]
    yield Question(
        item=item,
        about=conversation,
        question=qa["question"],
        answer=answer,
        answer_format="none" if adversarial else "int" if isinstance(answer, int) else "str",
        gold=gold,
        scenario=_CATEGORIES[qa["category"]],
        holder=holder,
        as_of=as_of,
        unanswerable=adversarial,
    )
