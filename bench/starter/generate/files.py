"""Bytes of the formats that the starter's files have, the same on every run.

Nothing here reads a clock, and archives are stored rather than compressed, so that no version of zlib shows.
"""

import csv
import gzip
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from PIL import Image, ImageDraw, ImageFont

_TEXTS = Path(__file__).resolve().parent / "texts"
_DOS_EPOCH = (1980, 1, 1, 0, 0, 0)

Box = tuple[int, int, int, int]


def text_blocks(name: str) -> Iterable[tuple[str, str]]:
    """(heading, body) of each block of texts/<name>.txt; a line `=== heading` begins a block."""
    text = (_TEXTS / f"{name}.txt").read_text(encoding="utf-8")
    for block in text.split("=== ")[1:]:
        heading, _, body = block.partition("\n")
        yield heading, body


def sections(body: str) -> list[tuple[str, list[str]]]:
    """(heading, lines) of each section of a block; a line `--- heading` begins a section."""
    found = []
    for section in body.split("--- ")[1:]:
        heading, *lines = section.strip().split("\n")
        found.append((heading, lines))
    return found


def json_bytes(value: Any, indent: int | None = None) -> bytes:
    """`value` as JSON in ASCII, keys in the order given."""
    return json.dumps(value, indent=indent).encode() + b"\n"


def jsonl_bytes(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """A row a line."""
    return b"".join(json_bytes(row) for row in rows)


def csv_bytes(rows: Iterable[Sequence[object]], newline: str = "\n") -> bytes:
    """A table; cells that hold commas, quotes or line ends are quoted."""
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator=newline).writerows(rows)
    return file.getvalue().encode()


def gzip_bytes(content: bytes) -> bytes:
    """A gzip member without name and time."""
    file = io.BytesIO()
    # Not gzip.compress: its header names the operating system in some versions of Python.
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as member:
        member.write(content)
    return file.getvalue()


def zip_bytes(members: Mapping[str, bytes]) -> bytes:
    """An archive of the members in the order given, dated 1980-01-01."""
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_STORED) as archive:
        for name, content in members.items():
            info = ZipInfo(name, _DOS_EPOCH)
            info.external_attr = 0o644 << 16
            info.create_system = 3  # Unix, whatever the machine
            archive.writestr(info, content)
    return file.getvalue()


def parquet_bytes(columns: Mapping[str, Any]) -> bytes:
    """A table of pyarrow arrays. Its bytes name the version of pyarrow that wrote it."""
    import pyarrow
    import pyarrow.parquet

    file = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(dict(columns)), file, compression="none")
    return file.getvalue()


def png_bytes(size: tuple[int, int], boxes: Iterable[tuple[Box, str]], labels: Iterable[tuple[int, int, str]]) -> bytes:
    """A flat picture of 16 colours: filled boxes (x0, y0, x1, y1, in pixels) with their colours, then labels (x, y)."""
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    font = ImageFont.load_default(11)
    for box, colour in boxes:
        draw.rectangle(box, fill=colour)
    for x, y, label in labels:
        draw.text((x, y), label, fill="black", font=font)
    file = io.BytesIO()
    image.quantize(16, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def pdf_bytes(title: str, pages: Sequence[tuple[str, Sequence[str]]], first_label: int | None = None) -> bytes:
    """A PDF with a page for each (heading, lines); where `first_label` is given, pages are labelled from it on."""
    from reportlab.lib.pagesizes import A5
    from reportlab.lib.utils import simpleSplit
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A5, invariant=1, pageCompression=0)
    canvas.setTitle(title)
    if first_label is not None:
        canvas.addPageLabel(0, style="ARABIC", start=first_label)
    width, height = A5
    for heading, lines in pages:
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(40, height - 60, heading)
        canvas.setFont("Helvetica", 10)
        for row, line in enumerate(simpleSplit(" ".join(lines), "Helvetica", 10, width - 80)):
            canvas.drawString(40, height - 90 - 14 * row, line)
        canvas.showPage()
    canvas.save()
    return file.getvalue()
