"""UIBert RefExp (google-research-datasets/uibert): expressions that refer to an element of a mobile screen.

source      a RICO screen, `<dataset>/<image/id>`. The records hold neither the picture nor its size, and boxes as
            shares 0..1 of its sides: boxes and extent are given on a grid of 1000 x 1000. IoU, and areas against
            each other, are the same on every grid
unit        a leaf of the view hierarchy with a text or a content description, and a box within the screen
gold        the object that image/ref_exp/label counts to (from 0) in image/object/bbox, `{bbox: [x0, y0, x1, y1]}`.
            Objects are another list than leaves and have no text: many a gold box is no unit
query       image/ref_exp/text of a record of any *.tfrecord file, asked about its screen (session)
scenario    referring_expression
holder, observed_at, as_of  assigned: upstream states none
unanswerable  none

A screen is read from the first record that holds it. Kept out: `no_question`; `contradicting_object_count` (lists of
unequal length, or another length than image/object/num says); `label_names_no_object`; `box_empty`;
`box_outside_screen`; `missing_document`, the screen being kept out as `leaves_do_not_align` (lists of unequal length).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.errors import BenchError
from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows
from bench.upstream.tfrecord import Example, read_examples

SCENARIOS = ("referring_expression",)
ASSIGNED = ("holder", "observed_at", "as_of")
_GRID = 1000
_SIDES = ("xmin", "ymin", "xmax", "ymax")
_LEAF = "image/view_hierarchy"
_ONCE = ("image/id", "image/object/num", "image/ref_exp/label", "image/ref_exp/text")
Box = tuple[float, float, float, float]


def read(raw: Raw) -> Iterator[Record]:
    """Record by record: its screen where that is new, then its expression."""
    paths = sorted(raw.directory.glob("*.tfrecord"))
    if not paths:
        raise BenchError(f"{raw.dataset}: no *.tfrecord in {raw.directory.name}; its registry entry must list them")
    kept: dict[str, bool] = {}
    for path in paths:
        for number, example in enumerate(read_examples(path)):
            item = f"{path.name}[{number}]"
            _check(path, number, example)
            screen_id = _text(example, "image/id")
            if screen_id not in kept:
                yield Rows("document", 1)
                screen = _screen(f"{raw.dataset}/{screen_id}", item, example)
                kept[screen_id] = isinstance(screen, Document)
                yield screen
            yield Rows("question", 1)
            yield _question(raw.dataset, item, screen_id, example, kept[screen_id])


def _check(path: Path, number: int, example: Example) -> None:
    """BenchError where a feature that occurs once in every record does not."""
    for name in _ONCE:
        if len(example.get(name, ())) != 1:
            raise BenchError(f"{path.name}: record {number} must have exactly one {name}; is it of UIBert RefExp?")


def _text(example: Example, name: str) -> str:
    return _texts(example, name)[0]


def _texts(example: Example, name: str) -> list[str]:
    try:
        return [value.decode() if isinstance(value, bytes) else str(value) for value in example.get(name, ())]
    except UnicodeDecodeError as error:
        raise BenchError(f"{name} of a record is not UTF-8: {error}") from None


def _boxes(example: Example, prefix: str) -> list[Box] | None:
    """The boxes of a list, in shares of the screen's sides; None where its four sides are not equally long."""
    sides: list[Any] = [example.get(f"{prefix}/bbox/{side}", []) for side in _SIDES]
    return list(zip(*sides, strict=True)) if len({len(side) for side in sides}) == 1 else None


def _fault(box: Box) -> str:
    x0, y0, x1, y1 = box
    if x1 <= x0 or y1 <= y0:
        return "box_empty"
    return "" if x0 >= 0 and y0 >= 0 and x1 <= 1 and y1 <= 1 else "box_outside_screen"


def _region(box: Box) -> dict[str, list[float]]:
    return {"bbox": [side * _GRID for side in box]}


def _screen(source_id: str, item: str, example: Example) -> Document | Excluded:
    boxes = _boxes(example, _LEAF)
    texts, descriptions = _texts(example, f"{_LEAF}/text"), _texts(example, f"{_LEAF}/description")
    if boxes is None or not len(boxes) == len(texts) == len(descriptions):
        return Excluded("document", item, "leaves_do_not_align", source_id)
    words = [" ".join(f"{text} {description}".split()) for text, description in zip(texts, descriptions, strict=True)]
    return Document(
        source_id=source_id,
        title=f"RICO screen {_text(example, 'image/id')}",
        extent={"width": _GRID, "height": _GRID},
        units=[(_region(box), word) for box, word in zip(boxes, words, strict=True) if word and not _fault(box)],
    )


def _question(dataset: str, item: str, screen_id: str, example: Example, kept: bool) -> Question | Excluded:
    [label], [count] = example["image/ref_exp/label"], example["image/object/num"]
    question = _text(example, "image/ref_exp/text")
    objects = _boxes(example, "image/object")
    if not question.strip():
        return Excluded("question", item, "no_question", screen_id)
    if objects is None or len(objects) != count:
        return Excluded("question", item, "contradicting_object_count", str(count))
    if not isinstance(label, int) or not 0 <= label < len(objects):
        return Excluded("question", item, "label_names_no_object", f"{label!r} of {len(objects)}")
    if fault := _fault(objects[label]):
        return Excluded("question", item, fault, str(objects[label]))
    if not kept:
        return Excluded("question", item, "missing_document", screen_id)
    source_id = f"{dataset}/{screen_id}"
    return Question(
        item=item,
        about=screen_id,
        question=question,
        answer=None,
        answer_format="none",
        gold=[Gold(source_id, _region(objects[label]))],
        scenario="referring_expression",
        session=source_id,
    )
