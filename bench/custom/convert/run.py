"""Running a conversion: every source read once, streamed, into a folder that is there only when all went well."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.custom.convert import tables, trec
from bench.custom.convert.fields import Taker
from bench.custom.convert.options import FIELDS, Options, Source, parse_sources
from bench.custom.convert.reading import Reading, Row
from bench.custom.layout import CORPUS, QUERIES
from bench.custom.lines import Advance
from bench.custom.progress import advancing
from bench.errors import BenchError
from bench.jsonl import encode, replacing

_TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
_HEADER = "\t".join(FIELDS["qrels"]) + "\n"


class Conversion(NamedTuple):
    """readings   how each source was read

    written    {file: rows}
    hints      what a person should look at before going on
    """

    readings: list[Reading]
    written: dict[str, int]
    hints: list[str]


def run(written: Sequence[str], out: Path, options: Options) -> Conversion:
    """Convert. BenchError on a source that cannot be read, and where `out` holds anything."""
    sources = parse_sources(written)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BenchError(f"{out} is not empty; --out takes a folder that is empty or not there yet")
    with advancing("convert", sum(source.path.stat().st_size for source in sources)) as advance, _whole(out) as folder:
        return _Converter(folder, options, advance).convert(sources)


@contextmanager
def _whole(out: Path) -> Iterator[Path]:
    """A folder beside `out` that takes its name at the end, and goes where that is not reached."""
    out = out.resolve()
    partial = out.with_name(f".{out.name}.{os.getpid()}.partial")
    partial.mkdir(parents=True)
    try:
        yield partial
        if out.exists():
            out.rmdir()
        partial.rename(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


class _Converter:
    """One conversion. Ids of queries are kept, to see whether the judgements name them."""

    def __init__(self, folder: Path, options: Options, advance: Advance) -> None:
        self._folder = folder
        self._options = options
        self._advance = advance
        self._queries: set[str] = set()
        self._judged: set[str] = set()

    def convert(self, sources: Sequence[Source]) -> Conversion:
        """Write what each source holds; several sources of one part follow each other."""
        parts: list[tuple[str, list[Source], Callable[[Row, Taker], bytes]]] = [
            (CORPUS, [source for source in sources if source.role == "corpus"], self._document),
            (QUERIES, [source for source in sources if source.role == "queries"], self._query),
        ]
        for split in dict.fromkeys(source.split for source in sources if source.role == "qrels"):
            of_split = [source for source in sources if source.role == "qrels" and source.split == split]
            parts.append((f"qrels/{split}.tsv", of_split, self._judgement))
        readings: list[Reading] = []
        written: dict[str, int] = {}
        for name, of_part, make in parts:
            if of_part:
                made = [Reading(source) for source in of_part]
                self._write(name, made, make)
                written[name] = sum(reading.rows for reading in made)
                readings += made
        return Conversion(readings, written, self._hints(readings))

    def _write(self, name: str, readings: Iterable[Reading], make: Callable[[Row, Taker], bytes]) -> None:
        with replacing(self._folder / name) as file:
            if name.endswith(".tsv"):
                file.write(_HEADER.encode())
            for reading in readings:
                taker = Taker(reading, self._options, _is_trec(reading.source, "queries"))
                for row in self._rows(reading):
                    file.write(make(row, taker) + b"\n")
                    reading.rows += 1
                taker.check_mapped()

    def _rows(self, reading: Reading) -> Iterator[Row]:
        source = reading.source
        match source.path.suffix:
            case ".csv" | ".tsv":
                return tables.read_delimited(reading, self._options, self._advance)
            case ".jsonl":
                return tables.read_jsonl(reading, self._options, self._advance)
            case ".parquet":
                return tables.read_parquet(reading, self._advance)
        match source.role:
            case "corpus":
                return trec.read_documents(reading, self._options, self._advance)
            case "queries":
                return trec.read_topics(reading, self._options, self._advance)
        return trec.read_qrels(reading)

    def _document(self, row: Row, taker: Taker) -> bytes:
        document: dict[str, Any] = {"_id": taker.id(row, "_id"), "text": taker.text(row, "text")}
        if title := taker.text(row, "title"):
            document["title"] = title
        return encode(document)

    def _query(self, row: Row, taker: Taker) -> bytes:
        query = {"_id": taker.id(row, "_id"), "text": taker.text(row, "text")}
        self._queries.add(query["_id"])
        return encode(query)

    def _judgement(self, row: Row, taker: Taker) -> bytes:
        ids = [taker.id(row, "query-id"), taker.id(row, "corpus-id")]
        self._judged.add(ids[0])
        if any(separator in name for name in ids for separator in "\t\r\n"):
            raise BenchError(f"{row.place}: an id holds a tab or a line end, which a TSV file cannot carry: {ids}")
        score = taker.score(row)
        shown = str(int(score)) if float(score).is_integer() else repr(score)
        return "\t".join((*ids, shown)).encode()

    def _hints(self, readings: Sequence[Reading]) -> list[str]:
        unknown = self._judged - self._queries
        if not unknown or not self._queries:
            return []
        count = f"{len(self._queries):,}"
        hint = f"{len(unknown):,} of {len(self._judged):,} judged query ids are not among the {count} queries"
        positions = {str(number) for number in range(1, len(self._queries) + 1)}
        topics = any(_is_trec(reading.source, "queries") for reading in readings)
        if topics and not self._options.positions and self._judged <= positions:
            hint += (
                f", but all are positions from 1 to {count}: if the judgements count the topics in their order, "
                "convert again with --topic-ids position"
            )
        return [hint]


def _is_trec(source: Source, role: str) -> bool:
    return source.role == role and source.path.suffix not in _TABLES
