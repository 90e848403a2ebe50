"""ScreenQA's short answers, and Screen Annotation's text of the same screens.

Neither release holds pictures. Faults on purpose: questions without an answer on their screen, annotators who disagree
about that, a screen that is not annotated, a screen listed twice, and one without text.
"""

from typing import Any

from bench.starter.generate.files import csv_bytes, json_bytes, text_blocks

_TEST_FROM = 181  # screens from this id on ask in test.json
_NO_ANSWER = "<no answer>"


def files() -> dict[str, bytes]:
    """The three question files and the annotations."""
    annotations: list[list[str]] = []
    validation: list[dict[str, Any]] = []
    test: list[dict[str, Any]] = []
    for heading, body in text_blocks("screens"):
        number, title = heading.split(" ", 1)
        lines = body.splitlines()
        annotations.append([number, _annotation(title, [line for line in lines if not line.startswith("? ")])])
        questions = test if int(number) >= _TEST_FROM else validation
        questions += [_question(int(number), line[2:]) for line in lines if line.startswith("? ")]
    validation += [
        _row(999, "Which page comes next?", ["settings"]),
        _row(154, "How loud is the music at the moment?", ["20 %", _NO_ANSWER]),
        _row(141, " ", ["three"]),
    ]
    complex_qa = [_row(101, "How many kilometres an hour does the wind blow above ten?", ["12"])]
    annotations += [annotations[0], ["998", ""]]
    return {
        "short_answers/validation.json": json_bytes(validation, indent=1),
        "short_answers/test.json": json_bytes(test, indent=1),
        "complex_qa/data.json": json_bytes(complex_qa, indent=1),
        "screen-annotation/valid.csv": csv_bytes([["screen_id", "screen_annotation"], *annotations]),
    }


def _question(screen: int, line: str) -> dict[str, Any]:
    question, *wordings = line.split(" | ")
    return _row(screen, question, wordings)


def _row(screen: int, question: str, wordings: list[str]) -> dict[str, Any]:
    return {"image_id": screen, "question": question, "ground_truth": wordings}


def _annotation(title: str, lines: list[str]) -> str:
    """Elements with their boxes as left, right, top, bottom in 0..999, below one another under a toolbar."""
    elements = [f"TOOLBAR 0 999 31 109 (PICTOGRAM three bars 0 132 31 109, TEXT {title} 171 640 54 84)"]
    for row, line in enumerate(lines):
        top = 130 + 90 * row
        box = f"{top} {top + 60}"
        if line.startswith("["):
            elements.append(f"BUTTON {line.strip('[]')} 120 880 {box}")
        elif ": " in line:
            label, value = line.split(": ", 1)
            elements.append(f"LIST_ITEM 0 999 {box} (TEXT {label} 40 420 {box}, TEXT {value} 480 960 {box})")
        else:
            elements.append(f"TEXT {line} 40 960 {box}")
    return ", ".join(elements)
