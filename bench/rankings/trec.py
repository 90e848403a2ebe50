"""TREC text: `qid Q0 docid rank score tag` a hit, `qid 0 docid grade` a judgement; and BEIR's qrels.

Fields stand between ASCII blanks or tabs. Q0, rank and tag are read past: the score alone decides, as in trec_eval.
BEIR's qrels are tab-separated lines `query-id corpus-id score` under a header of these names.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from bench.errors import BenchError
from bench.rankings.groups import Columns, Group, grouped

_RUN = ("qid", "Q0", "docid", "rank", "score", "tag")
_QRELS = ("qid", "0", "docid", "grade")
_BEIR = ("query-id", "corpus-id", "score")
_CHUNK = 1 << 16  # bytes; larger chunks leave the processor's cache and take longer
_END = b"\0"
_END_OF_LINE = b" \0 "


class _Text:
    """A file of lines, each with fields of these names; `value` is the one that is read as a number."""

    names: tuple[str, ...]
    value: str
    first_line = 1

    def __init__(self, path: Path) -> None:
        self.path = path

    def place(self, group: Group, index: int) -> str:
        """file:line, a line a document."""
        return f"{self.path}:{group.line + index}"

    def groups(self) -> Iterator[Group]:
        """The lines, grouped. BenchError at file:line on one that has other fields."""
        return grouped(self._chunks())

    def _chunks(self) -> Iterator[Columns]:
        query_id, doc_id, value = (self._index(name) for name in ("qid", "docid", self.value))
        line = self.first_line
        with self.path.open("rb") as file:
            for _ in range(self.first_line - 1):
                file.readline()
            while lines := file.readlines(_CHUNK):
                columns = self._split(line, lines)
                yield Columns(
                    line,
                    self._texts(line, columns[query_id]),
                    self._texts(line, columns[doc_id]),
                    self._numbers(line, columns[value]),
                )
                line += len(lines)

    def _index(self, name: str) -> int:
        return self.names.index(name)

    def _split(self, line: int, lines: Sequence[bytes]) -> list[list[bytes]]:
        """The fields by column, split at once: a list for each line would cost several times as much."""
        fields = b"".join(lines).replace(b"\n", _END_OF_LINE).split()
        if not lines[-1].endswith(b"\n"):
            fields.append(_END)
        width = len(self.names) + 1
        if len(fields) != width * len(lines) or fields[width - 1 :: width].count(_END) != len(lines):
            self._refuse(line, lines, bytes.split)
        return [fields[column::width] for column in range(len(self.names))]

    def _refuse(self, line: int, lines: Sequence[bytes], split: Callable[[bytes], list[bytes]]) -> NoReturn:
        number, count = next(
            (number, count)
            for number, written in enumerate(lines)
            if (count := len(split(written))) != len(self.names) or _END in written
        )
        shown = lines[number].decode(errors="replace").rstrip("\r\n")[:80]
        raise BenchError(
            f"{self.path}:{line + number}: {shown!r} has {count} fields; a line has {len(self.names)}: "
            f"{' '.join(self.names)} (a file named .jsonl or .parquet is read as such, any other as TREC text)"
        )

    def _texts(self, line: int, fields: Sequence[bytes]) -> list[str]:
        try:
            return b"\n".join(fields).decode().split("\n")
        except UnicodeDecodeError:
            number, field = next(item for item in enumerate(fields) if not _decodes(item[1]))
            raise BenchError(f"{self.path}:{line + number}: {field!r} is not UTF-8") from None

    def _numbers(self, line: int, fields: Sequence[bytes]) -> Sequence[Any]:
        raise NotImplementedError


class TrecRun(_Text):
    """A run, whose lines must be grouped by query."""

    names = _RUN
    value = "score"
    together = "bring its lines together, as `sort -s -k1,1 RUN` does: a run is read one query at a time"

    def _numbers(self, line: int, fields: Sequence[bytes]) -> Sequence[float]:
        try:
            return list(map(float, fields))
        except ValueError:
            number, field = next(item for item in enumerate(fields) if not _is_number(item[1]))
            shown = field.decode(errors="replace")
            raise BenchError(f"{self.path}:{line + number}: score {shown!r} is no number") from None


class TrecQrels(_Text):
    """Judgements, in any order."""

    names: tuple[str, ...] = _QRELS
    value = "grade"

    def _numbers(self, line: int, fields: Sequence[bytes]) -> Sequence[int | bytes]:
        try:
            return list(map(int, fields))
        except ValueError:
            return fields


class BeirQrels(TrecQrels):
    """Judgements under BEIR's header, in any order. Ids may have blanks within."""

    names = _BEIR
    value = "score"
    first_line = 2

    def _index(self, name: str) -> int:
        return {"qid": 0, "docid": 1, "score": 2}[name]

    def _split(self, line: int, lines: Sequence[bytes]) -> list[list[bytes]]:
        rows = [_by_tabs(written) for written in lines]
        if {*map(len, rows)} != {len(self.names)}:
            self._refuse(line, lines, _by_tabs)
        return [list(column) for column in zip(*rows, strict=True)]


def text_qrels(path: Path) -> TrecQrels:
    """TREC's or BEIR's qrels, told apart by BEIR's header."""
    with path.open("rb") as file:
        header = tuple(field.decode(errors="replace") for field in _by_tabs(file.readline()))
    return BeirQrels(path) if header == _BEIR else TrecQrels(path)


def _by_tabs(line: bytes) -> list[bytes]:
    return line.rstrip(b"\r\n").split(b"\t")


def _decodes(field: bytes) -> bool:
    try:
        field.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
