"""Lines of a file of text, with the faults of the file as such: byte order mark, CRLF, UTF-8, a half last line."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from bench.custom.findings import Findings

LONGEST = 1 << 26  # bytes
_BUFFER = 1 << 20
_BOM = b"\xef\xbb\xbf"

Advance = Callable[[int], None]


class Line(NamedTuple):
    """A line without its end. `whole` is False where the file ends within it."""

    number: int
    text: bytes
    whole: bool


def read_lines(path: Path, name: str, findings: Findings, advance: Advance) -> Iterator[Line]:
    """The lines that can be read, streamed; what is wrong with the others goes to `findings`.

    A missing file has no lines: the layout says so. `advance` is called with the bytes that were read.
    """
    if not path.is_file():
        return
    number = crlf = first_crlf = 0
    with path.open("rb", buffering=_BUFFER) as file:
        while text := file.readline(LONGEST):
            number += 1
            advance(len(text))
            whole = text.endswith(b"\n")
            if not whole and len(text) == LONGEST:
                findings.add("long_line", name, number, f"is longer than {LONGEST:,} bytes")
                _skip(file.readline, advance)
                continue
            if number == 1 and text.startswith(_BOM):
                findings.add("bom", name, 1, "begins with a byte order mark")
                text = text[len(_BOM) :]
            if text.endswith(b"\r\n"):
                crlf += 1
                first_crlf = first_crlf or number
            text = text.rstrip(b"\r\n")
            if not _decodes(text):
                findings.add("not_utf8", name, number, _bad_bytes(text))
            else:
                yield Line(number, text, whole)
    if not number:
        findings.add("empty_file", name, 0, "is empty")
    if crlf:
        findings.add("crlf", name, first_crlf, f"ends in CRLF, as {crlf:,} of {number:,} lines do")


def _skip(readline: Callable[[int], bytes], advance: Advance) -> None:
    """Read past the rest of a line."""
    while (rest := readline(LONGEST)) and not rest.endswith(b"\n"):
        advance(len(rest))
    advance(len(rest))


def _decodes(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _bad_bytes(text: bytes) -> str:
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return f"byte {text[error.start]:#04x} at offset {error.start} of the line is not UTF-8"
    raise ValueError("is UTF-8")
