"""JSON and JSON Lines: strict reading, canonical writing, and files that are whole or absent.

Canonical: sorted keys, UTF-8, LF, no NaN, no blanks between tokens. Two runs over equal data write equal bytes.
"""

import json
import math
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from bench.errors import BenchError
from bench.root import shown

T = TypeVar("T")
_ENCODER = msgspec.json.Encoder(order="sorted")
_MAX_DEPTH = 200


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that gets the name `path` only when it is whole and on disk.

    It is written under a hidden name beside `path`; on any error that file goes and `path` stays as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with partial.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def encode(row: object) -> bytes:
    """One canonical line without its newline. ValueError on NaN or infinity, which JSON does not have."""
    line = _ENCODER.encode(row)
    # msgspec writes NaN as null, so a null is looked at twice: the rows that hold one are few.
    if b"null" in line:
        _refuse_nan(row)
    return line


def _refuse_nan(value: object) -> None:
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} cannot be written as JSON: leave out a value that was not measured")
    elif isinstance(value, dict):
        for item in value.values():
            _refuse_nan(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_nan(item)
    elif isinstance(value, msgspec.Struct):
        for item in msgspec.structs.astuple(value):
            _refuse_nan(item)


def write_rows(path: Path, rows: Iterable[object]) -> int:
    """Write one canonical line a row, atomically. Returns the number of rows."""
    count = 0
    with replacing(path) as file:
        for row in rows:
            file.write(encode(row) + b"\n")
            count += 1
    return count


def write_document(path: Path, document: object) -> None:
    """Write one indented JSON document with sorted keys, atomically: the form of metrics in git."""
    with replacing(path) as file:
        file.write(msgspec.json.format(encode(document), indent=1) + b"\n")


def read_rows(path: Path, kind: type[T]) -> Iterator[T]:
    """Stream the rows of a file that a stage wrote, as records of `kind`, in constant memory.

    Raises BenchError with path:line where a line is no such record. For files that people write, see `parse_strict`.
    """
    decoder = msgspec.json.Decoder(kind)
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise BenchError(f"{shown(path)} is missing: run the stage that writes it, or `dvc repro`") from None
    with file:
        for number, line in enumerate(file, 1):
            try:
                yield decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BenchError(f"{shown(path)}:{number} is not a {kind.__name__} record: {error}") from None


def read_document(path: Path) -> Any:
    """One JSON document, read strictly."""
    try:
        return parse_strict(path.read_bytes())
    except FileNotFoundError:
        raise BenchError(f"{shown(path)} is missing: run the stage that writes it, or `dvc repro`") from None
    except ValueError as error:
        raise BenchError(f"{shown(path)} is not valid JSON: {error}") from None


def parse_strict(data: bytes) -> Any:
    """Parse JSON, refusing what parsers let through in silence.

    ValueError on NaN and Infinity, a number too large for a float, a key that stands twice in one object, bad UTF-8, a
    byte order mark, lone surrogates, and nesting deeper than 200.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        raise ValueError("starts with a byte order mark; save the file as UTF-8 without one")
    try:
        value = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique_keys,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
    except RecursionError:
        raise ValueError(f"nested deeper than {_MAX_DEPTH} levels") from None
    if data.count(b"[") + data.count(b"{") > _MAX_DEPTH and _depth(value) > _MAX_DEPTH:
        raise ValueError(f"nested deeper than {_MAX_DEPTH} levels")
    if b"\\u" in data or b"\\U" in data:
        _refuse_surrogates(value)
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"key {twice!r} stands twice in one object")
    return keys


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    if not math.isfinite(value := float(text)):
        raise ValueError(f"{text} is beyond what a number holds")
    return value


def _depth(value: object) -> int:
    level, depth = [value], 0
    while level:
        depth += 1
        level = [
            child
            for item in level
            if isinstance(item, dict | list)
            for child in (item.values() if isinstance(item, dict) else item)
        ]
    return depth


def _refuse_surrogates(value: object) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"holds a lone surrogate ({error.object[error.start]!r}), which is no character") from None
