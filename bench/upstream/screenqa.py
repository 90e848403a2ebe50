"""ScreenQA short answers (google-research-datasets/screen_qa) over the screens of Screen Annotation.

source      a RICO screen of `annotation` (a CSV of screen_annotation), `<dataset>/<screen_id>`. Neither release holds
            the picture or its size; the annotation counts both sides in 0..999, so the extent is that grid,
            1000 x 1000, and no number of pixels
unit, gold  the whole screen, `{}`; its text is the annotation, one element a line, as kind and text without boxes. A
            model wrote it and people corrected it: it is what a text system reads, and says nothing about the gold
query       a row of short_answers/, asked of all screens of its holder; gold is the screen that a person wrote it on
answer      the list of wordings that annotators gave, alternatives of one answer
scenario    short_answer
holder, observed_at, as_of  assigned: upstream states none
unanswerable  none: `<no answer>` says that one screen holds no answer, not that none does

Kept out, label faults before missing documents: all of complex_qa/ (`model_made`); `no_question`; no wording at all
(`no_answer`); only `<no answer>` (`no_answer_within_screen`); `<no answer>` beside an answer
(`annotators_disagree_on_answerability`); then `missing_document`, a screen that is not annotated. Documents: screens
without a text (`no_annotation`), or with an id that came before (`screen_listed_twice`).
"""

import csv
import re
from collections.abc import Iterator
from typing import Any

from bench.errors import BenchError
from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows

SCENARIOS = ("short_answer",)
ASSIGNED = ("holder", "observed_at", "as_of")
_NO_ANSWER = "<no answer>"
_GRID = 1000
_KINDS = (
    "BUTTON|CHECKBOX|IMAGE|KEYBOARD|LABEL|LIST_ITEM|MAP|NAVIGATION_BAR|PAGER_INDICATOR|PICTOGRAM|RADIO_BUTTON|SWITCH"
    "|TEXT_INPUT|TEXT|TOOLBAR"
)
# A box ends its element. Texts hold numbers, commas and brackets too, so what follows decides: the next element, a
# closing bracket, or the end.
_BOX = re.compile(rf"(?: \d{{1,3}}){{4}}(?=,? \(?(?:{_KINDS})\b|\)+(?:, (?:{_KINDS})\b|$)|$)")


def read(raw: Raw) -> Iterator[Record]:
    """Every annotated screen, then every row of the three question files."""
    annotation = raw.options.get("annotation", "screen-annotation/valid.csv")
    rows = _annotated(raw, annotation)
    yield Rows("document", len(rows))
    screens: set[str] = set()
    for line, (screen_id, text) in enumerate(rows):
        item = f"{annotation}[{line}]"
        if not text.strip():
            yield Excluded("document", item, "no_annotation", screen_id)
        elif screen_id in screens:
            yield Excluded("document", item, "screen_listed_twice", screen_id)
        else:
            screens.add(screen_id)
            yield Document(
                source_id=f"{raw.dataset}/{screen_id}",
                title=f"RICO screen {screen_id}",
                extent={"width": _GRID, "height": _GRID},
                units=[({}, readable(text))],
            )
    for file in ("short_answers/validation.json", "short_answers/test.json", "complex_qa/data.json"):
        questions: list[dict[str, Any]] = raw.json(file)
        yield Rows("question", len(questions))
        for number, row in enumerate(questions):
            item = f"{file}[{number}]"
            if file.startswith("complex_qa/"):
                yield Excluded("question", item, "model_made")
            else:
                yield _question(raw.dataset, item, row, screens)


def readable(annotation: str) -> str:
    """The elements in upstream's order, one a line: `TEXT Account`. Boxes and the brackets of nesting are left out."""
    return "\n".join(element for part in _BOX.split(annotation) if (element := part.lstrip("), (").strip()))


def _annotated(raw: Raw, name: str) -> list[tuple[str, str]]:
    """(screen_id, annotation) of every row."""
    with raw.path(name).open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if not {"screen_id", "screen_annotation"} <= set(reader.fieldnames or ()):
            raise BenchError(f"{raw.dataset}: {name} must have the columns screen_id and screen_annotation")
        return [(row["screen_id"].strip(), row["screen_annotation"] or "") for row in reader]


def _fault(row: dict[str, Any]) -> str | None:
    if not row["question"].strip():
        return "no_question"
    wordings = row["ground_truth"]
    if not wordings:
        return "no_answer"
    if _NO_ANSWER in wordings:
        return "no_answer_within_screen" if set(wordings) == {_NO_ANSWER} else "annotators_disagree_on_answerability"
    return None


def _question(dataset: str, item: str, row: dict[str, Any], screens: set[str]) -> Record:
    screen_id = str(row["image_id"])
    if fault := _fault(row):
        return Excluded("question", item, fault, f"{screen_id} {row['ground_truth']}")
    if screen_id not in screens:
        return Excluded("question", item, "missing_document", screen_id)
    return Question(
        item=item,
        about=screen_id,
        question=row["question"],
        answer=row["ground_truth"],
        answer_format="list",
        gold=[Gold(f"{dataset}/{screen_id}", {})],
        scenario="short_answer",
    )
