"""Rows of the three files: what a line holds, field by field.

A line with an error gives no row, and says why in `findings`; its id is still given where it can be read, so that one
fault is not reported a second time as an id that nobody knows.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.custom.findings import Findings, shown
from bench.custom.lines import Advance, Line, read_lines
from bench.jsonl import parse_strict

TEXT_FIELDS = ("_id", "text", "title", "metadata")
QREL_FIELDS = ("query-id", "corpus-id", "score")
_MISSPELT = {
    "id": "_id",
    "query_id": "query-id",
    "corpus_id": "corpus-id",
    "queryid": "query-id",
    "corpusid": "corpus-id",
    "doc_id": "corpus-id",
    "doc-id": "corpus-id",
}
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_LARGEST = sys.float_info.max
_HEADER = "\t".join(QREL_FIELDS)


class Text(NamedTuple):
    """A document or a query. `text` is None where the line has an error besides its id."""

    line: int
    id: str
    title: str
    text: str | None


class Judgement(NamedTuple):
    """A score that a query's document has."""

    line: int
    query_id: str
    doc_id: str
    score: float


def read_texts(path: Path, name: str, findings: Findings, advance: Advance) -> Iterator[Text]:
    """corpus.jsonl or queries.jsonl, streamed."""
    for line, row in _objects(path, name, findings, advance):
        faults = findings.errors
        _check_fields(row, TEXT_FIELDS, ("_id", "text"), line, name, findings)
        for field in ("text", "title"):
            if field in row and not isinstance(row[field], str):
                findings.add("text_type", name, line.number, f"{field} is {shown(row[field])}")
        if _check_id("_id", row, line, name, findings):
            broken = findings.errors > faults
            yield Text(line.number, row["_id"], "" if broken else row.get("title", ""), None if broken else row["text"])


def read_judgements(path: Path, name: str, findings: Findings, advance: Advance) -> Iterator[Judgement]:
    """qrels.jsonl or qrels/<split>.tsv, streamed."""
    if path.suffix == ".tsv":
        return _tsv(path, name, findings, advance)
    return _json_judgements(path, name, findings, advance)


def _json_judgements(path: Path, name: str, findings: Findings, advance: Advance) -> Iterator[Judgement]:
    for line, row in _objects(path, name, findings, advance):
        faults = findings.errors
        _check_fields(row, QREL_FIELDS, QREL_FIELDS, line, name, findings)
        for field in QREL_FIELDS[:2]:
            _check_id(field, row, line, name, findings)
        score = row.get("score", 0)
        if isinstance(score, bool) or not isinstance(score, int | float) or abs(score) > _LARGEST:
            findings.add("score_type", name, line.number, f"score is {shown(score)}")
        if findings.errors == faults:
            yield Judgement(line.number, row["query-id"], row["corpus-id"], score)


def _tsv(path: Path, name: str, findings: Findings, advance: Advance) -> Iterator[Judgement]:
    rows = 0
    for line in read_lines(path, name, findings, advance):
        if line.number == 1 and _is_header(line, name, findings):
            continue
        rows += 1
        if not line.whole:
            findings.add("no_final_newline", name, line.number, "has no newline: its score may be cut off")
        if judgement := _tsv_row(line, name, findings):
            yield judgement
    if not rows and path.stat().st_size:
        findings.add("empty_file", name, 0, "has no judgement")


def _is_header(line: Line, name: str, findings: Findings) -> bool:
    """Whether the first line is to be skipped; a judgement there is an error, and is read nevertheless."""
    text = line.text.decode()
    if text == _HEADER:
        return True
    fields = text.split("\t")
    if len(fields) == len(QREL_FIELDS) and _NUMBER.fullmatch(fields[-1]):
        findings.add("tsv_without_header", name, 1, f"the first line is a judgement: {shown(text)}")
        return False
    misspelt = sorted(_MISSPELT.keys() & {*fields})
    rule = "field_spelling" if misspelt else "tsv_header"
    findings.add(rule, name, 1, f"the header is {shown(text)}")
    return True


def _tsv_row(line: Line, name: str, findings: Findings) -> Judgement | None:
    text = line.text.decode()
    if not text.strip():
        findings.add("blank_line", name, line.number, "is blank")
        return None
    fields = text.split("\t")
    if len(fields) != len(QREL_FIELDS):
        rule = "half_line" if not line.whole else "tsv_fields"
        findings.add(rule, name, line.number, f"{shown(text)} has {len(fields)} fields")
        return None
    faults = findings.errors
    row = dict(zip(QREL_FIELDS, fields, strict=True))
    for field in QREL_FIELDS[:2]:
        if row[field].startswith('"'):
            findings.add("tsv_quote", name, line.number, f"{field} is {shown(row[field])}")
        _check_id(field, row, line, name, findings)
    score = number(row["score"])
    if score is None:
        findings.add("score_type", name, line.number, f"score is {shown(row['score'])}")
    if score is None or findings.errors > faults:
        return None
    return Judgement(line.number, row["query-id"], row["corpus-id"], score)


def number(text: str) -> float | None:
    """A finite decimal number as it is written; None where it is none."""
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if abs(value) <= _LARGEST else None


def _objects(path: Path, name: str, findings: Findings, advance: Advance) -> Iterator[tuple[Line, dict[str, Any]]]:
    """The lines of a JSON Lines file that are objects. A file that is an array is not read on."""
    for line in read_lines(path, name, findings, advance):
        text = line.text.strip()
        if not text:
            findings.add("blank_line", name, line.number, "is blank")
            continue
        if line.number == 1 and text.startswith(b"["):
            findings.add("json_array", name, 1, "the file is a JSON array")
            return
        try:
            row = parse_strict(text)
        except ValueError as error:
            found = f"is not JSON: {str(error)[:160]}"
            findings.add("invalid_json" if line.whole else "half_line", name, line.number, found)
            continue
        if not line.whole:
            findings.add("no_final_newline", name, line.number, "has no newline")
        if isinstance(row, dict):
            yield line, row
        else:
            findings.add("not_object", name, line.number, f"is {shown(row)}")


def _check_fields(
    row: dict[str, Any], known: tuple[str, ...], required: tuple[str, ...], line: Line, name: str, findings: Findings
) -> None:
    meant = {_MISSPELT[field.lower()] for field in row if field.lower() in _MISSPELT}
    for field in row:
        if field.lower() in _MISSPELT and _MISSPELT[field.lower()] in known:
            spelt = _MISSPELT[field.lower()]
            findings.add("field_spelling", name, line.number, f"field {shown(field)}, for {spelt}")
        elif field not in known:
            findings.add("unknown_field", name, line.number, f"field {shown(field)}")
    for field in required:
        if field not in row and field not in meant:
            findings.add("missing_field", name, line.number, f"has no {field}")


def _check_id(field: str, row: dict[str, Any], line: Line, name: str, findings: Findings) -> bool:
    """Whether the id is there and right; its absence is reported by `_check_fields`."""
    if field not in row:
        return False
    value = row[field]
    if not isinstance(value, str):
        findings.add("id_type", name, line.number, f"{field} is {shown(value)}")
        return False
    if not value or value.strip() != value:
        findings.add("id_blank", name, line.number, f"{field} is {shown(value)}")
        return False
    return True
