"""TREC: documents in <doc>, topics in <top>, and qrels `qid 0 docid grade`.

Tags are read as TREC collections write them, in any case, in files that need not be XML. Tags within a field become a
blank, and entities (`&amp;`) the characters they stand for; both are counted.
"""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from bench.custom.convert.options import Options
from bench.custom.convert.reading import Reading, Row, opened
from bench.custom.findings import shown
from bench.custom.lines import LONGEST, Advance
from bench.errors import BenchError
from bench.rankings.trec import TrecQrels

_TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*)(?:\s[^<>]*)?>")
_MARKUP = re.compile(r"<[/?!A-Za-z][^<>]*>")
_LABEL = re.compile(r"\s*(?:Number|Topic|Description|Narrative):", re.IGNORECASE)
_CHUNK = 1 << 20


def read_documents(reading: Reading, options: Options, advance: Advance) -> Iterator[Row]:
    """A row a <doc>, its fields by tag."""
    reading.how.append("TREC documents")
    with opened(reading, options.encoding, advance) as file:
        for line, inner in _elements(file, reading.source.path, "doc"):
            place = f"{reading.source.path}:{line}"
            yield Row(place, _fields(reading, place, inner))


def read_topics(reading: Reading, options: Options, advance: Advance) -> Iterator[Row]:
    """A row a <top>, whose fields need not be closed; `num` is its position, from 1, where the options ask for it."""
    reading.how.append("TREC topics" + (", numbered by position" if options.positions else ""))
    with opened(reading, options.encoding, advance) as file:
        for number, (line, inner) in enumerate(_elements(file, reading.source.path, "top"), 1):
            fields = _open_fields(reading, inner)
            if options.positions:
                fields["num"] = str(number)
            yield Row(f"{reading.source.path}:{line}", fields)


def read_qrels(reading: Reading) -> Iterator[Row]:
    """A row a judgement."""
    reading.how += ["TREC qrels", "utf-8"]
    reading.columns.update(dict.fromkeys(("query-id", "corpus-id", "score")))
    source = TrecQrels(reading.source.path)
    for group in source.groups():
        for index, (doc_id, grade) in enumerate(zip(group.doc_ids, group.values, strict=True)):
            score = grade.decode(errors="replace") if isinstance(grade, bytes) else grade
            values = {"query-id": group.query_id, "corpus-id": doc_id, "score": score}
            yield Row(source.place(group, index), values)


def _elements(file: TextIO, path: Path, tag: str) -> Iterator[tuple[int, str]]:
    """(line, what is inside) of each element, streamed. BenchError where one is not closed, or text stands outside."""
    opening = re.compile(rf"<{tag}(?:\s[^<>]*)?>", re.IGNORECASE)
    closing = re.compile(rf"</{tag}\s*>", re.IGNORECASE)
    buffer, at, line, count = "", 0, 1, 0
    while True:
        start = opening.search(buffer, at)
        end = closing.search(buffer, start.end()) if start else None
        if start and end:
            _check_outside(path, line, buffer[at : start.start()], tag)
            line += buffer.count("\n", at, start.start())
            inner = buffer[start.end() : end.start()]
            if opening.search(inner):
                raise BenchError(f"{path}:{line}: <{tag}> is not closed before the next one")
            yield line, inner
            count += 1
            line += buffer.count("\n", start.start(), end.end())
            at = end.end()
            continue
        chunk = file.read(_CHUNK)
        if not chunk:
            break
        buffer, at = buffer[at:] + chunk, 0
        if len(buffer) > LONGEST:
            raise BenchError(f"{path}:{line}: no whole <{tag}> within {LONGEST:,} characters")
    if start:
        raise BenchError(f"{path}:{line}: <{tag}> is not closed: the file ends in it")
    _check_outside(path, line, buffer[at:], tag)
    if not count:
        raise BenchError(f"{path} has no <{tag}>; it is read as TREC because it is no .csv, .tsv, .jsonl or .parquet")


def _check_outside(path: Path, line: int, text: str, tag: str) -> None:
    rest = _MARKUP.sub("", text).strip()
    if rest:
        raise BenchError(f"{path}:{line}: {shown(rest)} stands outside of <{tag}>; allowed there: tags alone")


def _fields(reading: Reading, place: str, inner: str) -> dict[str, str]:
    """The outermost elements of a document; those of one name are joined."""
    fields: dict[str, str] = {}
    name, begin = "", 0
    for tag in _TAG.finditer(inner):
        closes, found = bool(tag[1]), tag[2].lower()
        if not name and not closes:
            _note_stray(reading, inner[begin : tag.start()])
            name, begin = found, tag.end()
        elif closes and found == name:
            _add(reading, fields, name, inner[begin : tag.start()])
            name, begin = "", tag.end()
    if name:
        raise BenchError(f"{place}: <{name}> is not closed within its document")
    _note_stray(reading, inner[begin:])
    return fields


def _open_fields(reading: Reading, inner: str) -> dict[str, str]:
    """The elements of a topic: each ends at its closing tag, or where the next one begins."""
    fields: dict[str, str] = {}
    name, begin = "", 0
    for tag in _TAG.finditer(inner):
        if name:
            _add(reading, fields, name, _unlabelled(inner[begin : tag.start()]))
        name, begin = ("" if tag[1] else tag[2].lower()), tag.end()
    if name:
        _add(reading, fields, name, _unlabelled(inner[begin:]))
    return fields


def _unlabelled(text: str) -> str:
    """Without the label that old topics repeat after the tag, as in `<num> Number: 301`."""
    label = _LABEL.match(text)
    return text[label.end() :] if label else text


def _add(reading: Reading, fields: dict[str, str], name: str, written: str) -> None:
    plain, tags = _MARKUP.subn(" ", written)
    text = html.unescape(plain)
    if tags:
        reading.notes["tags within fields taken out"] += tags
    if text != plain:
        reading.notes["fields with entities decoded"] += 1
    reading.columns[name] = None
    fields[name] = f"{fields[name]}\n{text.strip()}" if name in fields else text.strip()


def _note_stray(reading: Reading, text: str) -> None:
    if text.strip():
        reading.notes["texts outside of any field left out"] += 1
