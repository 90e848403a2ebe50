"""WebSRC (X-LANCE/WebSRC-Baseline): questions on web pages, answered by an element of the page.

source      a page, `<dataset>/<domain>/<page>`, as its screenshot shows it; extent from the PNG's header
unit        an element with a word of its own (not of the elements inside it) and a box within the screenshot
gold        the element `element_id` (the HTML's `tid`), as `{bbox: [x0, y0, x1, y1]}` in pixels of the screenshot
query       a row of <domain>/<site>/dataset.csv, asked about its page (session): characters 3 to 9 of its id
scenario    the domain, by the first two characters of the id
holder, observed_at, as_of  assigned: upstream states none
unanswerable  none

A rect counts in pixels of the web page, x and y being its upper left corner; the screenshot shows the root element, the
one with the smallest tid that has a rect (X-LANCE/WebSRC-Baseline#2). So a box is the rect less the root's x and y. A
box that leaves the screenshot is not drawn there: never a unit, never gold.

Kept out, label faults before missing documents: `malformed_id`; `unknown_domain`; `no_question`; `yes_no_question`
(element_id -1: no element answers); `malformed_element_id`; `missing_document`; `element_not_on_page` (no rect);
`element_without_area`; `element_outside_screenshot`. Documents: `no_screenshot`, `unreadable_image`,
`page_without_root`, `screenshot_not_of_root` (their widths differ by a pixel or more).
"""

import csv
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from bench.errors import BenchError
from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows
from bench.upstream.images import Size, image_size

_DOMAINS = {
    "au": "auto",
    "bo": "book",
    "ca": "camera",
    "ga": "game",
    "ho": "hotel",
    "jo": "jobs",
    "mo": "movie",
    "ph": "phone",
    "re": "restaurant",
    "sp": "sports",
    "un": "university",
}
SCENARIOS = tuple(_DOMAINS.values())
ASSIGNED = ("holder", "observed_at", "as_of")
_COLUMNS = {"question", "id", "element_id", "answer"}
_ID = re.compile(r"[a-z]{2}\d{12}", re.ASCII)
_ELEMENT = re.compile(r"\d+", re.ASCII)
_VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
Box = tuple[float, float, float, float]


class Page(NamedTuple):
    """A page's source_id, the pixels of its screenshot, and {tid: box in them, or why there is none}."""

    source_id: str
    size: Size
    boxes: dict[str, Box | str]


def read(raw: Raw) -> Iterator[Record]:
    """Site by site: every page, then every row."""
    sites = sorted(raw.directory.glob("*/*/dataset.csv"))
    if not sites:
        raise BenchError(f"{raw.dataset}: no <domain>/<site>/dataset.csv in {raw.directory.name}")
    for site in sites:
        domain = site.parent.parent.name
        paths = sorted((site.parent / "processed_data").glob("*.json"))
        yield Rows("document", len(paths))
        pages: dict[str, Page] = {}
        for path in paths:
            name = path.relative_to(raw.directory).with_suffix("").as_posix()
            page = _page(raw, name, f"{raw.dataset}/{domain}/{path.stem}")
            if isinstance(page, str):
                yield Excluded("document", name, page)
                continue
            pages[path.stem] = page
            yield _document(raw, name, page)
        name = site.relative_to(raw.directory).as_posix()
        rows = _rows(raw, name)
        yield Rows("question", len(rows))
        for number, row in enumerate(rows):
            yield _question(f"{name}[{number}]", row, pages)


def _rows(raw: Raw, name: str) -> list[dict[str, str]]:
    with raw.path(name).open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, restval="")
        if missing := _COLUMNS - set(reader.fieldnames or ()):
            raise BenchError(f"{raw.dataset}: {name} lacks the columns {', '.join(sorted(missing))}")
        return list(reader)


def _page(raw: Raw, name: str, source_id: str) -> Page | str:
    """The page, or why it cannot be a document."""
    screenshot = raw.directory / f"{name}.png"
    if not screenshot.is_file():
        return "no_screenshot"
    size = image_size(screenshot)
    if size is None:
        return "unreadable_image"
    rects = {tid: element["rect"] for tid, element in raw.json(f"{name}.json").items()}
    if not rects:
        return "page_without_root"
    root = rects[min(rects, key=int)]
    # A screenshot may end before its root does, but one of another width was not taken of it, and no box would fit.
    if abs(root["width"] - size[0]) >= 1:
        return "screenshot_not_of_root"
    return Page(source_id, size, {tid: _box(rect, root, size) for tid, rect in rects.items()})


def _box(rect: dict[str, Any], root: dict[str, Any], size: Size) -> Box | str:
    if rect["width"] <= 0 or rect["height"] <= 0:
        return "element_without_area"
    x0, y0 = rect["x"] - root["x"], rect["y"] - root["y"]
    x1, y1 = x0 + rect["width"], y0 + rect["height"]
    if x0 < 0 or y0 < 0 or x1 > size[0] or y1 > size[1]:
        return "element_outside_screenshot"
    return x0, y0, x1, y1


def _document(raw: Raw, name: str, page: Page) -> Document:
    texts = own_texts(raw.path(f"{name}.html").read_text(encoding="utf-8"))
    title = raw.directory / f"{name}.txt"
    lines = title.read_text(encoding="utf-8").splitlines() if title.is_file() else []
    return Document(
        source_id=page.source_id,
        title=lines[0].strip() if lines else Path(name).name,
        extent={"width": page.size[0], "height": page.size[1]},
        units=[
            ({"bbox": list(box)}, texts[tid])
            for tid, box in page.boxes.items()
            if tid in texts and not isinstance(box, str)
        ],
    )


def own_texts(html: str) -> dict[str, str]:
    """{tid: the text directly inside that element}, blanks as one; elements without a letter or digit are left out."""
    reader = _OwnTexts()
    reader.feed(html)
    reader.close()
    joined = {tid: " ".join("".join(pieces).split()) for tid, pieces in reader.pieces.items()}
    return {tid: text for tid, text in joined.items() if any(map(str.isalnum, text))}


class _OwnTexts(HTMLParser):
    """Gives each piece of text to the innermost open element."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: dict[str, list[str]] = {}
        self._open: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _VOID:
            self._open.append((tag, dict(attrs).get("tid")))

    def handle_endtag(self, tag: str) -> None:
        # An end tag also closes the elements inside that have none; one that closes nothing is passed over.
        if any(name == tag for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1][0] not in ("script", "style") and (tid := self._open[-1][1]):
            self.pieces.setdefault(tid, []).append(data + " ")


def _question(item: str, row: dict[str, str], pages: dict[str, Page]) -> Question | Excluded:
    fault = _fault(row)
    page = pages.get(row["id"][2:9])
    if fault or page is None:
        return Excluded("question", item, fault or "missing_document", f"{row['id']} {row['element_id']}")
    box = page.boxes.get(row["element_id"], "element_not_on_page")
    if isinstance(box, str):
        return Excluded("question", item, box, f"{row['id']} {row['element_id']}")
    return Question(
        item=item,
        about=row["id"][:9],
        question=row["question"],
        answer=row["answer"],
        answer_format="str",
        gold=[Gold(page.source_id, {"bbox": list(box)})],
        scenario=_DOMAINS[row["id"][:2]],
        session=page.source_id,
    )


def _fault(row: dict[str, str]) -> str:
    if not _ID.fullmatch(row["id"]):
        return "malformed_id"
    if row["id"][:2] not in _DOMAINS:
        return "unknown_domain"
    if not row["question"].strip():
        return "no_question"
    if row["element_id"] == "-1":
        return "yes_no_question"
    return "" if _ELEMENT.fullmatch(row["element_id"]) else "malformed_element_id"
