"""LongMemEval (xiaowu0162/LongMemEval): questions, each with its own haystack of dated chat sessions.

source      a session of an instance's haystack, `longmemeval/<question_id>/<position>` (1-based; session ids repeat
            within a haystack, positions do not); observed_at is its haystack_date
unit, gold  a turn, `{turn}` (1-based over the turns of both roles); gold are those with has_answer true in the
            sessions of answer_session_ids, whoever speaks. Such a session without one adds nothing
query       an instance, asked by its holder `longmemeval:<question_id>` of its whole haystack as of question_date.
            Sessions dated later are sources too, and must not come back
scenario    question_type
unanswerable  question_id ends in `_abs`, and nothing else. Its `answer` is an explanation and its answer_session_ids
            are distractors: both are set aside as resolved

Dates (`2023/04/10 (Mon) 23:07`) name no zone and are read as UTC; a date without a time is its midnight, and the
weekday is not looked at. The option `file` names the release: oracle, s or m, original or cleaned. Instances are read
one at a time, so that m (2.75 GB) needs no more memory than its largest instance.

Kept out, of questions: `evidence_names_no_session`; `ambiguous_session` (its id stands at several positions);
`no_evidence_turn`; `gold_after_as_of`; then `missing_document` (a gold session that is kept out). Of sessions:
`empty_session`. Of both: `unparsable_date`; of a whole instance: `haystack_lists_differ` (dates, ids and sessions are
not of one length) and `duplicate_question_id`. Resolved by rule: an answer session listed twice.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal, get_args

import ijson
import msgspec

from bench.errors import BenchError
from bench.records import Gold
from bench.times import render
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows

_QuestionType = Literal[
    "single-session-user",
    "single-session-assistant",
    "single-session-preference",
    "temporal-reasoning",
    "knowledge-update",
    "multi-session",
]
SCENARIOS = tuple(name.replace("-", "_") for name in get_args(_QuestionType))
ASSIGNED = ()
FILES = (
    "longmemeval_oracle",
    "longmemeval_s",
    "longmemeval_m",
    "longmemeval_oracle.json",
    "longmemeval_s_cleaned.json",
    "longmemeval_m_cleaned.json",
)
_DATE = re.compile(r"(\d{4})/(\d\d)/(\d\d)(?: \([A-Za-z]+\))?(?: (\d\d):(\d\d))?", re.ASCII)


class Turn(msgspec.Struct, frozen=True):
    """`has_answer` is absent on the turns of filler sessions."""

    role: str
    content: str
    has_answer: bool = False


class Instance(msgspec.Struct, frozen=True):
    """An element of the released array. The three haystack lists belong together by position."""

    question_id: str
    question_type: _QuestionType
    question: str
    answer: str | int | float
    question_date: str
    haystack_dates: list[str]
    haystack_session_ids: list[str]
    haystack_sessions: list[list[Turn]]
    answer_session_ids: list[str]

    @property
    def sizes(self) -> tuple[int, int, int]:
        """How many dates, ids and sessions there are."""
        return len(self.haystack_dates), len(self.haystack_session_ids), len(self.haystack_sessions)


def read(raw: Raw) -> Iterator[Record]:
    """Every session and the question of every instance of the release that `file` names."""
    name = raw.options.get("file", FILES[0])
    if name not in FILES:
        raise BenchError(f"longmemeval: file is {name!r}; allowed: {', '.join(FILES)}")
    seen: set[str] = set()
    for instance in _instances(raw, name):
        yield Rows("document", max(instance.sizes))
        yield Rows("question", 1)
        if instance.question_id in seen:
            yield from _left_out(instance, "duplicate_question_id", instance.question_id)
        elif len(set(instance.sizes)) > 1:
            yield from _left_out(
                instance, "haystack_lists_differ", "{} dates, {} ids, {} sessions".format(*instance.sizes)
            )
        else:
            moments = [_moment(date) for date in instance.haystack_dates]
            yield from _sessions(instance, moments)
            yield from _question(instance, moments)
        seen.add(instance.question_id)


def _instances(raw: Raw, name: str) -> Iterator[Instance]:
    """The elements of the array, one at a time. BenchError where the file is no such array."""
    number = 0
    with raw.path(name).open("rb") as file:
        try:
            for element in ijson.items(file, "item", use_float=True):
                number += 1
                yield msgspec.convert(element, Instance)
        except msgspec.ValidationError as error:
            raise BenchError(f"longmemeval: {name}, instance {number} is not as released: {error}") from None
        except ijson.JSONError as error:
            raise BenchError(f"longmemeval: {name} is not JSON after {number} instances: {error}") from None
    if not number:
        raise BenchError(f"longmemeval: {name} holds no instance; it must be one JSON array, as released")


def _left_out(instance: Instance, reason: str, detail: str) -> Iterator[Record]:
    for position in range(1, max(instance.sizes) + 1):
        yield Excluded("document", f"{instance.question_id}/{position}", reason, detail)
    yield Excluded("question", instance.question_id, reason, detail)


def _moment(date: str) -> str | None:
    """A date of the release as UTC; None where it is none. It is never taken from the clock."""
    if not (match := _DATE.fullmatch(date)):
        return None
    year, month, day, hour, minute = (int(part or 0) for part in match.groups())
    try:
        return render(datetime(year, month, day, hour, minute, tzinfo=UTC))
    except ValueError:
        return None


def _source_id(instance: Instance, position: int) -> str:
    return f"longmemeval/{instance.question_id}/{position}"


def _holder(instance: Instance) -> str:
    return f"longmemeval:{instance.question_id}"


def _sessions(instance: Instance, moments: list[str | None]) -> Iterator[Record]:
    rows = zip(instance.haystack_session_ids, instance.haystack_sessions, moments, instance.haystack_dates, strict=True)
    for position, (session_id, turns, moment, date) in enumerate(rows, 1):
        item = f"{instance.question_id}/{position}"
        if not moment:
            yield Excluded("document", item, "unparsable_date", date)
        elif not turns:
            yield Excluded("document", item, "empty_session", session_id)
        else:
            yield Document(
                source_id=_source_id(instance, position),
                title=session_id,
                extent={"turns": len(turns)},
                units=[({"turn": turn}, f"{said.role}: {said.content}") for turn, said in enumerate(turns, 1)],
                holder=_holder(instance),
                observed_at=moment,
            )


def _question(instance: Instance, moments: list[str | None]) -> Iterator[Record]:
    item = instance.question_id
    as_of = _moment(instance.question_date)
    if not as_of:
        yield Excluded("question", item, "unparsable_date", instance.question_date)
        return
    unanswerable = item.endswith("_abs")
    gold: list[Gold] = []
    if unanswerable:
        yield Resolved(item, "answer_on_unanswerable", "answer", instance.answer, None)
        yield Resolved(item, "sessions_on_unanswerable", "answer_session_ids", instance.answer_session_ids, [])
    else:
        found = _gold(instance, moments, as_of)
        if isinstance(found, Excluded):
            yield found
            return
        gold = found
        if len(cited := list(dict.fromkeys(instance.answer_session_ids))) < len(instance.answer_session_ids):
            yield Resolved(item, "session_listed_twice", "answer_session_ids", instance.answer_session_ids, cited)
    answer = None if unanswerable else instance.answer
    yield Question(
        item=item,
        about=item,
        question=instance.question,
        answer=answer,
        answer_format="none" if answer is None else type(answer).__name__,
        gold=gold,
        scenario=instance.question_type.replace("-", "_"),
        holder=_holder(instance),
        as_of=as_of,
        unanswerable=unanswerable,
    )


def _gold(instance: Instance, moments: list[str | None], as_of: str) -> list[Gold] | Excluded:
    """The marked turns of the answer sessions, or why the question is kept out."""
    gold: dict[int, list[Gold]] = {}
    for session_id in dict.fromkeys(instance.answer_session_ids):
        positions = [at for at, known in enumerate(instance.haystack_session_ids, 1) if known == session_id]
        if not positions:
            return Excluded("question", instance.question_id, "evidence_names_no_session", session_id)
        if len(positions) > 1:
            return Excluded("question", instance.question_id, "ambiguous_session", f"{session_id} at {positions}")
        turns = instance.haystack_sessions[positions[0] - 1]
        source_id = _source_id(instance, positions[0])
        marked = [Gold(source_id, {"turn": turn}) for turn, said in enumerate(turns, 1) if said.has_answer]
        if marked:
            gold[positions[0]] = marked
    if not gold:
        return Excluded("question", instance.question_id, "no_evidence_turn", ", ".join(instance.answer_session_ids))
    observed = {position: moments[position - 1] for position in gold}
    for position, moment in observed.items():
        if moment and moment > as_of:
            return Excluded("question", instance.question_id, "gold_after_as_of", instance.haystack_dates[position - 1])
    for position, moment in observed.items():
        if not moment:
            return Excluded("question", instance.question_id, "missing_document", _source_id(instance, position))
    return [region for marked in gold.values() for region in marked]
