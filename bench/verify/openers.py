"""Each raw file opened as what its name claims it to be.

An opener returns what it learned (pages, size, rows) and raises where the file is no such thing: `Unreadable`, or
whatever its library raises. A suffix without an opener claims nothing, and its files are only hashed.
"""

import csv
import gzip
import json
import re
import stat
import struct
import sys
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any, NamedTuple

Detail = dict[str, int | str]

# Above this a JSON file is read event by event instead of as a whole, which takes several times its size in memory.
STREAMED_JSON_BYTES = 50_000_000
# Archives that unpack to more than this have their members listed, not read: sha256 has read the archive itself.
TESTED_ARCHIVE_BYTES = 64_000_000
_CHUNK = 1 << 20
_TEXT_NAME = re.compile(r"licen[cs]e|copying|notice|readme", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")


class Unreadable(ValueError):
    """The file is not what its name claims; the text says how."""


class Opener(NamedTuple):
    """A kind of file, and the function that opens one."""

    kind: str
    open: Callable[[Path], Detail]


def opener(path: Path) -> Opener:
    """The opener for this name: by its longest known suffix; text for a licence; else one that reads nothing."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    for start in range(len(suffixes)):
        if found := _OPENERS.get("".join(suffixes[start:])):
            return found
    return _PLAIN if _TEXT_NAME.search(path.name) else Opener("bytes", lambda _: {})


def _pdf(path: Path) -> Detail:
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        return {"pages": len(document)}


def _image(image_format: str) -> Callable[[Path], Detail]:
    def read(path: Path) -> Detail:
        from PIL import Image

        with Image.open(path, formats=[image_format]) as image:
            return {"width": image.width, "height": image.height}

    return read


def _json(path: Path) -> Detail:
    if path.stat().st_size > STREAMED_JSON_BYTES:
        with path.open("rb") as file:
            return {"rows": _streamed_rows(file)}
    value = json.loads(path.read_bytes())
    return {"rows": len(value) if isinstance(value, list | dict) else 1}


def _streamed_rows(file: IO[bytes]) -> int:
    """Elements of the outermost array, or keys of the outermost object."""
    import ijson

    depth = rows = 0
    for event, _ in ijson.basic_parse(file):
        depth -= event in ("end_map", "end_array")
        # Values directly within the outermost: an object has one to each key.
        rows += depth == 1 and event not in ("map_key", "end_map", "end_array")
        depth += event in ("start_map", "start_array")
    return rows


def _json_lines(path: Path) -> Detail:
    with path.open("rb") as file:
        return {"rows": _rows(file)}


def _json_lines_gz(path: Path) -> Detail:
    with gzip.open(path) as file:
        return {"rows": _rows(file)}


def _rows(lines: Iterable[bytes]) -> int:
    rows = 0
    for number, line in enumerate(lines, 1):
        if line.isspace():
            continue
        try:
            json.loads(line)
        except ValueError as error:
            raise Unreadable(f"line {number}: {error}") from None
        rows += 1
    return rows


def _gzip(path: Path) -> Detail:
    """Reads to the end, where gzip keeps its checksum."""
    size = 0
    with gzip.open(path) as file:
        while block := file.read(_CHUNK):
            size += len(block)
    return {"unpacked_bytes": size}


def _table(delimiter: str, quoting: Any) -> Callable[[Path], Detail]:
    def read(path: Path) -> Detail:
        csv.field_size_limit(sys.maxsize)
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, delimiter=delimiter, quoting=quoting)
            header = next(lines, [])
            if not any(name.strip() for name in header):
                raise Unreadable("has no header")
            return {"columns": len(header), "rows": sum(1 for _ in lines)}

    return read


def _parquet(path: Path) -> Detail:
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path) as file:
        return {"columns": file.metadata.num_columns, "rows": file.metadata.num_rows}


def _zip(path: Path) -> Detail:
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        for member in members:
            if trick := path_trick(member):
                raise Unreadable(f"member {member.orig_filename!r} {trick}")
        if sum(member.file_size for member in members) <= TESTED_ARCHIVE_BYTES and (broken := archive.testzip()):
            raise Unreadable(f"member {broken!r} does not match its checksum")
    return {"members": len(members)}


def path_trick(member: zipfile.ZipInfo) -> str:
    """How unpacking this member could write outside of its folder; empty where it cannot."""
    # zipfile cuts `filename` at a NUL and turns backslashes about; the name as it was written is what others unpack.
    name = member.orig_filename
    if name.startswith(("/", "\\")) or _DRIVE.match(name):
        return "has an absolute path"
    if ".." in re.split(r"[/\\]", name):
        return "leaves its folder by .."
    if "\\" in name or "\0" in name:
        return "has a backslash or a NUL in its path"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "is a link"
    return ""


def _tfrecord(path: Path) -> Detail:
    """Records of an 8-byte length, its 4-byte checksum, that many bytes, and their 4-byte checksum."""
    records = 0
    size = path.stat().st_size
    with path.open("rb") as file:
        while (start := file.tell()) < size:
            head = file.read(12)
            end = start + 16 + struct.unpack("<Q", head[:8])[0] if len(head) == 12 else size + 1
            if end > size:
                raise Unreadable(f"record {records + 1} is cut off or has a wrong length")
            file.seek(end)
            records += 1
    return {"records": records}


def _text(path: Path) -> Detail:
    with path.open(encoding="utf-8", newline="") as file:
        return {"lines": sum(1 for _ in file)}


_PLAIN = Opener("text", _text)
_ARCHIVE = Opener("archive", _zip)
_JPEG = Opener("image", _image("JPEG"))
_OPENERS = {
    ".pdf": Opener("pdf", _pdf),
    ".png": Opener("image", _image("PNG")),
    ".jpg": _JPEG,
    ".jpeg": _JPEG,
    ".webp": Opener("image", _image("WEBP")),
    ".json": Opener("json", _json),
    ".jsonl": Opener("json_lines", _json_lines),
    ".jsonl.gz": Opener("json_lines", _json_lines_gz),
    ".gz": Opener("gzip", _gzip),
    ".csv": Opener("table", _table(",", csv.QUOTE_MINIMAL)),
    ".tsv": Opener("table", _table("\t", csv.QUOTE_NONE)),
    ".parquet": Opener("parquet", _parquet),
    ".zip": _ARCHIVE,
    ".whl": _ARCHIVE,
    ".tfrecord": Opener("tfrecord", _tfrecord),
    ".txt": _PLAIN,
    ".md": _PLAIN,
    ".html": _PLAIN,
    ".xml": _PLAIN,
    ".srt": _PLAIN,
    ".py": _PLAIN,
}
