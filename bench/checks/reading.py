"""From a suite's files to what suite checks read, with the findings of the line checks on the way.

Sets and corpora are streamed, each line on its own: a broken one costs no other. Of a corpus only heads and digests
stay in memory. What stages write beside them (manifest, exclusions, dataset.json) has to be whole: else BenchError.
"""

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from bench.checks import LINE_CHECKS, modules
from bench.checks.base import Account, Contents, Entry, Finding, KindRows, Limits, Line, Manifested, Query, Refused
from bench.errors import BenchError
from bench.ids import normalise_question
from bench.jsonl import parse_strict, read_document, read_rows
from bench.records import MODALITIES, Annotation, CorpusHead
from bench.schema import problems
from bench.suite import Suite

_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder(order="sorted")
_FOLDERS = {"annotation": "sets", "corpus": "corpus"}
_IDS = {"annotation": "query_id", "corpus": "source_id"}
_FEW_BRACKETS = 200
_KINDS = ("question", "document", "caption")


class _Excluded(msgspec.Struct):
    source: str
    kind: str
    reason: str


def read_contents(suite: Suite) -> tuple[Contents, list[Finding]]:
    """All that suite checks read, and what the line checks found."""
    contents = Contents(
        limits=_limits(suite),
        dev_share=_dev_share(suite),
        manifest=[_manifested(number, row) for number, row in enumerate(read_rows(suite.manifest, dict), 1)],
        accounts=_accounts(suite.metrics / "dataset.json"),
        excluded=Counter(
            (row.source, row.kind, row.reason) for row in read_rows(suite.sets / "excluded.jsonl", _Excluded)
        ),
        files={name: _names(suite.directory / name) for name in _FOLDERS.values()},
    )
    checks = modules(LINE_CHECKS)
    findings = [
        finding
        for kind, folder in _FOLDERS.items()
        for modality in MODALITIES
        if f"{modality}.jsonl" in contents.files[folder]
        for finding in _read_file(suite.directory, kind, modality, checks, contents)
    ]
    return contents, findings


def _limits(suite: Suite) -> Limits:
    try:
        return msgspec.convert(suite.params.get("validate"), Limits)
    except msgspec.ValidationError as error:
        raise BenchError(f"params.yaml: validate: {error}; it needs {', '.join(Limits.__struct_fields__)}") from None


def _dev_share(suite: Suite) -> float:
    if "split" not in suite.params:
        raise BenchError("params.yaml: split.dev is missing; it is the share of dev queries, 0 to 1")
    return float(suite.params["split"]["dev"])


def _manifested(number: int, row: dict[str, Any]) -> Manifested:
    licence, annotation_source = row.get("licence"), row.get("annotation_source")
    return Manifested(
        line=number,
        source=_text(row, "source"),
        dataset=_text(row, "dataset"),
        modality=_text(row, "modality"),
        revision=_text(row, "revision"),
        licence=_text(licence, "spdx"),
        annotation_source=_text(annotation_source, "kind"),
    )


def _text(row: object, key: str) -> str:
    value = row.get(key) if isinstance(row, dict) else None
    return value if isinstance(value, str) else ""


def _accounts(path: Path) -> dict[str, Account]:
    document = read_document(path)
    try:
        by_source = msgspec.convert(document["by_source"], dict[str, dict[str, Any]])
        return {
            source: Account(
                {kind: msgspec.convert(row[kind], KindRows) for kind in _KINDS if kind in row},
                msgspec.convert(row["excluded"], dict[str, int]),
            )
            for source, row in by_source.items()
        }
    except (msgspec.ValidationError, KeyError, TypeError) as error:
        raise BenchError(f"{path}: by_source is not what normalize writes ({error}): run that stage again") from None


def _names(folder: Path) -> set[str]:
    """What stands in `folder`, hidden files left out: DVC writes a .gitignore."""
    return {path.name for path in folder.iterdir() if not path.name.startswith(".")} if folder.is_dir() else set()


def _read_file(
    directory: Path, kind: str, modality: str, checks: list[ModuleType], contents: Contents
) -> Iterator[Finding]:
    path = f"{_FOLDERS[kind]}/{modality}.jsonl"
    with (directory / path).open("rb") as file:
        for number, raw in enumerate(file, 1):
            line = _line(path, number, kind, modality, raw)
            found = [finding for module in checks for finding in module.check(line)]
            if found:
                contents.refused[kind, modality].append(_refused(line, raw))
                yield from found
            elif kind == "annotation":
                contents.queries.append(Query(path, number, msgspec.convert(line.value, Annotation)))
            else:
                contents.entries.append(_entry(line))


def _line(path: str, number: int, kind: str, modality: str, raw: bytes) -> Line:
    value: Any = None
    fault = query_id = ""
    try:
        value = parse_line(raw)
    except ValueError as error:
        fault = str(error)
    found = [] if fault else problems(kind, value)
    if kind == "annotation":
        query_id = _peek(raw, "query_id") if fault or found else value["query_id"]
    return Line(path, number, kind, modality, query_id, value, fault, found)


def parse_line(raw: bytes) -> Any:
    """The value of one line. ValueError where `parse_strict` refuses it, or a number does not fit a float.

    A line that equals its own canonical form has no key twice, and one with few brackets is not deep: that proof takes
    half the time of the strict parser, which is left to word what is wrong.
    """
    try:
        value = _DECODER.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        if not raw.strip():
            raise ValueError("a blank line") from None
        parse_strict(raw)
        raise ValueError(str(error)) from None
    few_brackets = raw.count(b"[") + raw.count(b"{") < _FEW_BRACKETS
    if few_brackets and _ENCODER.encode(value) == raw.rstrip(b"\n"):
        return value
    return parse_strict(raw)


def _peek(raw: bytes, key: str) -> str:
    """The first text under `key` in a line that may be broken; empty where there is none."""
    match = re.search(rb'"%s"\s*:\s*("(?:[^"\\]|\\.)*")' % key.encode(), raw)
    try:
        return str(_DECODER.decode(match[1])) if match else ""
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""


def _refused(line: Line, raw: bytes) -> Refused:
    flag = re.search(rb'"unanswerable"\s*:\s*(true|false)', raw)
    return Refused(
        item=_peek(raw, _IDS[line.kind]),
        dataset=_peek(raw, "dataset"),
        unanswerable=flag[1] == b"true" if flag else None,
        twin=b'"twin_of":' in raw,
    )


def _entry(line: Line) -> Entry:
    entry = line.value
    text = "\0".join(normalise_question(unit["text"]) for unit in entry["units"])
    content = blake2b(text.encode(), digest_size=16).digest() if text.strip("\0") else b""
    return Entry(line.path, line.number, msgspec.convert(entry, CorpusHead), entry["revision"], content)
