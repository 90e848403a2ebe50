"""ScreenSpot-v2 (OS-Copilot/ScreenSpot-v2, and a converted copy in microsoft/GUI-Actor): instructions on screenshots.

source      a screenshot that a row names, `<dataset>/<img_filename>`; extent from the rows' img_size and from the
            image where it is at hand (the folder images/, or screenspotv2_image.zip). Upstream gives no text: no units
gold        the one element that the instruction means, `{bbox: [x0, y0, x1, y1]}` in pixels
query       a row of the three JSON files, asked about its screenshot (session)
scenario    <desktop | mobile | web>_<text | icon>, from the file and ui_type (data_type in the upstream release)
holder, observed_at, as_of  assigned: upstream states none
unanswerable  none

The four numbers of a box mean different things in different releases and no field says which. `box` says it, in the
registry entry of each release: `xywh` (upstream) or `xyxy` (the copy). It is never guessed from the numbers.

Kept out, label faults before missing documents: `no_instruction`; `unknown_element_type`; `malformed_box` (not four
finite numbers); `box_empty` (no width or height under the convention); `contradicting_img_size` (rows, or rows and
image, disagree on the size; the document goes with them); `missing_document` (neither row nor image states a size);
`box_outside_screen` (a corner beyond the image).
"""

import math
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from bench.errors import BenchError
from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows
from bench.upstream.images import Size, image_size

_GROUPS = ("desktop", "mobile", "web")
_TYPES = ("text", "icon")
SCENARIOS = tuple(f"{group}_{element}" for group in _GROUPS for element in _TYPES)
ASSIGNED = ("holder", "observed_at", "as_of")
CONVENTIONS = ("xywh", "xyxy")
_ZIP = "screenspotv2_image.zip"
_ZIP_FOLDER = "screenspotv2_image/"
Box = tuple[float, float, float, float]


def read(raw: Raw) -> Iterator[Record]:
    """Every screenshot that a row names, then every row."""
    convention = raw.options.get("box")
    if convention not in CONVENTIONS:
        raise BenchError(
            f"{raw.dataset}: option `box` is {convention!r}; it must say how this release writes a box: "
            + " or ".join(CONVENTIONS)
        )
    files: dict[str, list[dict[str, Any]]] = {group: raw.json(f"screenspot_{group}_v2.json") for group in _GROUPS}
    sizes = _sizes(raw, [row for rows in files.values() for row in rows])
    yield Rows("document", len(sizes))
    for name, stated in sizes.items():
        if len(stated) == 1:
            [(width, height)] = stated
            yield Document(f"{raw.dataset}/{name}", name, {"width": width, "height": height}, units=[])
        elif stated:
            yield Excluded("document", name, "contradicting_img_size", str(sorted(stated)))
        else:
            yield Excluded("document", name, "no_image_size")
    for group, rows in files.items():
        yield Rows("question", len(rows))
        for number, row in enumerate(rows):
            item = f"screenspot_{group}_v2.json[{number}]"
            yield _question(raw.dataset, item, group, row, convention, sizes[row["img_filename"]])


def _sizes(raw: Raw, rows: Iterable[dict[str, Any]]) -> dict[str, set[Size]]:
    """{img_filename: every size that a row or the image states}, in the order of the rows."""
    sizes: dict[str, set[Size]] = defaultdict(set)
    for row in rows:
        stated = sizes[row["img_filename"]]
        if "img_size" in row:
            width, height = row["img_size"]
            stated.add((width, height))
    for name, size in _image_sizes(raw, sizes):
        sizes[name].add(size)
    return sizes


def _image_sizes(raw: Raw, names: Iterable[str]) -> Iterator[tuple[str, Size]]:
    """The sizes of the images at hand, read from their headers."""
    archive = raw.directory / _ZIP
    if not archive.is_file():
        for name in list(names):
            if size := image_size(raw.directory / "images" / name):
                yield name, size
        return
    if not zipfile.is_zipfile(archive):
        raise BenchError(f"{raw.dataset}: {_ZIP} is no zip archive; fetch it again")
    with zipfile.ZipFile(archive) as members:
        held = set(members.namelist())
        for name in list(names):
            if _ZIP_FOLDER + name in held:
                with members.open(_ZIP_FOLDER + name) as image:
                    if size := image_size(image):
                        yield name, size


def _corners(box: object, convention: str) -> Box | None:
    """The corners under the release's convention; None where `box` is not four finite numbers."""
    if not isinstance(box, list) or len(box) != 4:
        return None
    if not all(type(number) in (int, float) and math.isfinite(number) for number in box):
        return None
    x0, y0, third, fourth = box
    return (x0, y0, third, fourth) if convention == "xyxy" else (x0, y0, x0 + third, y0 + fourth)


def _question(
    dataset: str, item: str, group: str, row: dict[str, Any], convention: str, stated: set[Size]
) -> Question | Excluded:
    element = row.get("ui_type", row.get("data_type"))
    corners = _corners(row["bbox"], convention)
    fault = _label_fault(row["instruction"], element) or _box_fault(corners, stated)
    if fault or corners is None:
        return Excluded("question", item, fault, f"{row['img_filename']} {row['bbox']} {sorted(stated)}")
    source_id = f"{dataset}/{row['img_filename']}"
    return Question(
        item=item,
        about=row["img_filename"],
        question=row["instruction"],
        answer=None,
        answer_format="none",
        gold=[Gold(source_id, {"bbox": list(corners)})],
        scenario=f"{group}_{element}",
        session=source_id,
    )


def _label_fault(instruction: str, element: object) -> str:
    if not instruction.strip():
        return "no_instruction"
    return "" if element in _TYPES else "unknown_element_type"


def _box_fault(corners: Box | None, stated: set[Size]) -> str:
    if corners is None:
        return "malformed_box"
    x0, y0, x1, y1 = corners
    if x1 <= x0 or y1 <= y0:
        return "box_empty"
    if len(stated) > 1:
        return "contradicting_img_size"
    if not stated:
        return "missing_document"
    [(width, height)] = stated
    return "box_outside_screen" if x0 < 0 or y0 < 0 or x1 > width or y1 > height else ""
