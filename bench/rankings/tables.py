"""Reading parquet in batches of rows, with columns as they are asked for, and qrels in it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from bench.errors import BenchError
from bench.rankings.groups import Columns, Group, grouped

RUN = ("query_id", "doc_id", "score")
QRELS = ("query_id", "doc_id", "relevance")
ROWS = 1 << 16  # so that what is worked on stays in the processor's cache


class ParquetQrels:
    """Judgements, in any order. `relevance` holds integers, or floats that are whole."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def place(self, group: Group, index: int) -> str:
        """The file and the row, a row a document."""
        return f"{self.path}, row {group.line + index}"

    def groups(self) -> Iterator[Group]:
        """The rows, grouped."""
        return grouped(self._chunks())

    def _chunks(self) -> Iterator[Columns]:
        row = 1
        for table in read_tables(self.path, QRELS):
            yield Columns(row, *(column.to_pylist() for column in table.columns))
            row += len(table)


def read_tables(path: Path, names: Sequence[str]) -> Iterator[Any]:
    """Some thousand rows at a time: query ids as a dictionary, document ids as strings, scores as doubles.

    Grades are as they are written. BenchError on other columns, nulls, and what is no parquet.
    """
    try:
        file = pq.ParquetFile(path, read_dictionary=["query_id"])
        _check_columns(path, file.schema_arrow, names)
        row = 1
        for batch in file.iter_batches(ROWS, columns=list(names), use_threads=False):
            table = pa.Table.from_batches([batch])
            for name in names:
                if table[name].null_count:
                    at = pc.index(pc.is_null(table[name]), True).as_py()
                    raise BenchError(f"{path}, row {row + at}: {name} is null; every row has all of {', '.join(names)}")
            row += len(batch)
            number = pa.float64() if names is RUN else table.schema.field(names[2]).type
            kinds = (pa.dictionary(pa.int32(), pa.string()), pa.string(), number)
            yield table.select(names).cast(pa.schema(list(zip(names, kinds, strict=True))))
    except (pa.ArrowException, OSError) as error:
        raise BenchError(f"{path} cannot be read as parquet: {error}") from None


def _check_columns(path: Path, schema: Any, names: Sequence[str]) -> None:
    for name in names:
        if schema.names.count(name) != 1:
            raise BenchError(f"{path} has the columns {', '.join(schema.names)}; needed, once each: {', '.join(names)}")
        kind = schema.field(name).type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        if name == names[2]:
            right, allowed = pa.types.is_integer(kind) or pa.types.is_floating(kind), "numbers"
        else:
            right, allowed = pa.types.is_string(kind) or pa.types.is_large_string(kind), "strings"
        if not right:
            raise BenchError(f"{path}: column {name} holds {kind}; allowed: {allowed}")


def first_bad_id(ids: Any) -> int | None:
    """Where the first id stands that is empty or has blanks around it."""
    empty = pc.equal(pc.binary_length(ids), 0)
    # Most ids are ASCII without blanks, and then none of them needs to be looked at alone.
    characters = np.frombuffer(ids.buffers()[2] or b"", np.uint8)
    plain = not characters.size or (characters.min() > ord(" ") and characters.max() < 0x80)
    bad = empty if plain else pc.or_(empty, pc.not_equal(pc.utf8_trim_whitespace(ids), ids))
    return None if (at := pc.index(bad, True).as_py()) < 0 else int(at)


def numbers_of(column: Any) -> NDArray[Any]:
    """The numbers of a column without nulls. `to_numpy` would import pandas, a fifth of a second."""
    return np.from_dlpack(column)
