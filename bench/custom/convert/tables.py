"""CSV and TSV (RFC 4180 quoting, or none), JSON Lines, and parquet."""

import csv
from collections.abc import Iterator
from typing import Literal, TextIO

from bench.custom.convert.fields import names, needed
from bench.custom.convert.options import Options
from bench.custom.convert.reading import Reading, Row, opened
from bench.custom.findings import shown
from bench.custom.lines import LONGEST, Advance
from bench.errors import BenchError
from bench.jsonl import parse_strict

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_ROWS = 1 << 12


def read_delimited(reading: Reading, options: Options, advance: Advance) -> Iterator[Row]:
    """The rows of a CSV or TSV file under the names of its header, or of --columns."""
    path = reading.source.path
    csv.field_size_limit(LONGEST)
    with opened(reading, options.encoding, advance) as file:
        lines = _Lines(file)
        first = next(lines, "")
        if not first.strip():
            raise BenchError(
                f"{path}:1: is blank; a table begins with the names of its columns, or --columns gives them"
            )
        columns = options.columns.get(reading.source.role)
        delimiter = _delimiter(reading, options, first, columns)
        reading.how.insert(0, f"{path.suffix[1:].upper()} with {_DELIMITERS[delimiter]}")
        lines.again(first)
        records = _records(reading, lines, delimiter, options.quoted)
        if columns is None:
            _, columns = next(records)
        _check_columns(reading, columns)
        reading.columns.update(dict.fromkeys(columns))
        for number, record in records:
            if not record:
                reading.notes["blank lines left out"] += 1
                continue
            if len(record) != len(columns):
                raise BenchError(
                    f"{path}:{number}: {len(record)} fields, but {len(columns)} columns ({', '.join(columns)}); a "
                    "field that holds the delimiter stands in double quotes"
                )
            yield Row(f"{path}:{number}", dict(zip(columns, record, strict=True)))
        reading.how.append(_quoting(lines.with_quotes, options.quoted))


class _Lines:
    """The lines of a file, of which one can be given back; counts those with a quote."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._given_back: list[str] = []
        self.with_quotes = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        if self._given_back:
            return self._given_back.pop()
        line = self._file.readline(LONGEST)
        if not line:
            raise StopIteration
        self.with_quotes += '"' in line
        return line

    def again(self, line: str) -> None:
        """Give the line again."""
        self._given_back.append(line)


def _records(reading: Reading, lines: _Lines, delimiter: str, quoted: bool) -> Iterator[tuple[int, list[str]]]:
    """(line on which it begins, fields). BenchError on quotes that are not RFC 4180's."""
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    begin = 1
    try:
        for record in reader:
            yield begin, record
            begin = reader.line_num + 1
    except csv.Error as error:
        raise BenchError(
            f"{reading.source.path}:{begin}: {error}; fields may stand in double quotes, with quotes within doubled; "
            "where quotes are plain characters, give --quoting none"
        ) from None


def _quoting(lines: int, quoted: bool) -> str:
    if not lines:
        return "no quotes occur"
    return f"double quotes around fields, {lines:,} lines with one" if quoted else f"quotes as text, in {lines:,} lines"


def _delimiter(reading: Reading, options: Options, first: str, columns: list[str] | None) -> str:
    """The one delimiter under which the first line has the needed names, or as many fields as --columns names."""
    path, role = reading.source.path, reading.source.role
    candidates = "\t" if path.suffix == ".tsv" else ",;\t|"
    found = []
    for delimiter in candidates:
        split = next(csv.reader([first], delimiter=delimiter), [])
        fits = (
            len(split) == len(columns)
            if columns
            else all({*names(options, role, field)} & {*split} for field in needed(role))
        )
        if fits:
            found.append(delimiter)
    if len(found) == 1:
        return found[0]
    if columns:
        raise BenchError(f"{path}:1: {shown(first.rstrip())} has not {len(columns)} fields, as --columns says")
    raise BenchError(
        f"{path}:1: no header with {', '.join(needed(role))} in {shown(first.rstrip())}; map others as in "
        f"--map {role}.{needed(role)[0]}=COLUMN, or name the columns of a file without header by --columns {role}=..."
    )


def _check_columns(reading: Reading, columns: list[str]) -> None:
    twice = [name for name in columns if columns.count(name) > 1]
    if twice:
        raise BenchError(
            f"{reading.source.path}:1: column {shown(twice[0])} stands twice; every column has a name of its own"
        )


def read_jsonl(reading: Reading, options: Options, advance: Advance) -> Iterator[Row]:
    """The objects of a JSON Lines file."""
    reading.how.append("JSON Lines")
    path = reading.source.path
    with opened(reading, options.encoding, advance) as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                reading.notes["blank lines left out"] += 1
                continue
            try:
                row = parse_strict(line.encode())
            except ValueError as error:
                raise BenchError(f"{path}:{number}: is not JSON: {str(error)[:160]}") from None
            if not isinstance(row, dict):
                raise BenchError(f"{path}:{number}: is {shown(row)}; allowed: one JSON object a line")
            reading.columns.update(dict.fromkeys(row))
            yield Row(f"{path}:{number}", row)


def read_parquet(reading: Reading, advance: Advance) -> Iterator[Row]:
    """The rows of a parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    reading.how.append("parquet")
    path = reading.source.path
    number = 0
    try:
        file = pq.ParquetFile(path)
        reading.columns.update(dict.fromkeys(file.schema_arrow.names))
        _check_columns(reading, file.schema_arrow.names)
        bytes_a_row = path.stat().st_size / max(1, file.metadata.num_rows)
        for batch in file.iter_batches(_ROWS):
            advance(int(len(batch) * bytes_a_row))
            for values in batch.to_pylist():
                number += 1
                yield Row(f"{path}, row {number}", values)
    except (pa.ArrowException, OSError) as error:
        raise BenchError(f"{path} cannot be read as parquet: {error}") from None
