"""Which format a file has: `.parquet`, `.jsonl`, and TREC text (or BEIR's qrels) under any other name."""

from collections.abc import Iterator
from pathlib import Path

from bench.errors import BenchError
from bench.rankings import lines, trec
from bench.rankings.measures import Batch
from bench.rankings.qrels import Qrels, collect
from bench.rankings.rank import batches


def read_qrels(path: Path) -> Qrels:
    """All judgements of a file. BenchError where it is missing, empty, or holds a line that is none."""
    _check(path)
    match path.suffix:
        case ".parquet":
            from bench.rankings.tables import ParquetQrels

            return collect(ParquetQrels(path))
        case ".jsonl":
            return collect(lines.JsonlQrels(path))
        case _:
            return collect(trec.text_qrels(path))


def read_run(path: Path, qrels: Qrels) -> Iterator[Batch]:
    """The judged queries of a run, streamed. BenchError where it is missing, or holds a hit that is none."""
    _check(path)
    match path.suffix:
        case ".parquet":
            from bench.rankings.parquet import ParquetRun

            return ParquetRun(path).batches(qrels)
        case ".jsonl":
            return batches(lines.JsonlRun(path), qrels)
        case _:
            return batches(trec.TrecRun(path), qrels)


def _check(path: Path) -> None:
    if not path.is_file():
        raise BenchError(f"{path} is no file")
