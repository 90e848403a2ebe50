"""A run and its qrels of any size, the same data in every format that `bench evaluate` reads.

    python tests/benchmarks/generate.py --queries 100000 --hits 100 --documents 200000 --formats trec,parquet FOLDER

Scores fall within a query and have three decimals, so that ties happen; the documents of a tie stand in random order.
A query has 1 to 5 relevant documents (grades 1 to 3) and 2 judged as not relevant, about half of them among its hits.
One seed and one size give the same files everywhere. Memory stays constant: queries are made in blocks.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

FORMATS = ("trec", "jsonl", "columnar", "parquet")
BLOCK = 10_000  # with 100 hits, the million rows that writers of parquet put into a row group by default


class Query(NamedTuple):
    """What one query got, and how documents are judged for it. Documents are numbers."""

    query_id: str
    documents: list[int]
    scores: list[float]
    judged: dict[int, int]


def queries(count: int, hits: int, documents: int, seed: int) -> Iterator[list[Query]]:
    """All queries, in blocks."""
    random = np.random.default_rng(seed)
    for start in range(0, count, BLOCK):
        yield [_query(f"q{number:07d}", hits, documents, random) for number in range(start, min(start + BLOCK, count))]


def _query(query_id: str, hits: int, documents: int, random: np.random.Generator) -> Query:
    returned = random.choice(documents, hits, replace=False, shuffle=True).tolist()
    scores = (np.sort(random.integers(0, 30_000, hits))[::-1] / 1000).tolist()
    judged: dict[int, int] = {}
    relevant = int(random.integers(1, 6))
    places = random.integers(0, hits, relevant + 2).tolist()
    elsewhere = random.integers(0, documents, relevant + 2).tolist()
    grades = [*random.integers(1, 4, relevant).tolist(), 0, 0]
    within = (random.random(relevant + 2) < 0.5).tolist()
    for place, other, grade, inside in zip(places, elsewhere, grades, within, strict=True):
        judged.setdefault(returned[place] if inside else other, grade)
    return Query(query_id, returned, scores, judged)


def document_id(number: int) -> str:
    """The id of a document."""
    return f"d{number:07d}"


def write(folder: Path, count: int, hits: int, documents: int, formats: list[str], seed: int = 7) -> None:
    """Write `run.*` and `qrels.*` of the formats into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        writers = [_WRITERS[name](folder, stack) for name in formats]
        for block in queries(count, hits, documents, seed):
            for writer in writers:
                writer(block)


Writer = Callable[[list[Query]], None]


def _text(folder: Path, stack: ExitStack, suffix: str) -> tuple[IO[str], IO[str]]:
    run, qrels = (
        stack.enter_context((folder / f"{name}.{suffix}").open("w", encoding="ascii", newline="\n"))
        for name in ("run", "qrels")
    )
    return run, qrels


def _trec(folder: Path, stack: ExitStack) -> Writer:
    run, qrels = _text(folder, stack, "trec")

    def add(block: list[Query]) -> None:
        for query in block:
            run.writelines(
                f"{query.query_id} Q0 {document_id(document)} {rank} {score} made\n"
                for rank, (document, score) in enumerate(zip(query.documents, query.scores, strict=True), 1)
            )
            qrels.writelines(
                f"{query.query_id} 0 {document_id(document)} {grade}\n" for document, grade in query.judged.items()
            )

    return add


def _jsonl(folder: Path, stack: ExitStack) -> Writer:
    return _lines(*_text(folder, stack, "jsonl"), _as_objects)


def _columnar(folder: Path, stack: ExitStack) -> Writer:
    return _lines(*_text(folder, stack, "columnar.jsonl"), _as_columns)


def _as_objects(query: Query) -> dict[str, Any]:
    return {
        "hits": [
            {"doc_id": document_id(document), "score": score}
            for document, score in zip(query.documents, query.scores, strict=True)
        ]
    }


def _as_columns(query: Query) -> dict[str, Any]:
    return {"doc_ids": [document_id(document) for document in query.documents], "scores": query.scores}


def _lines(run: IO[str], qrels: IO[str], form: Callable[[Query], dict[str, Any]]) -> Writer:
    def add(block: list[Query]) -> None:
        for query in block:
            print(_compact({"query_id": query.query_id, **form(query)}), file=run)
            judged = {
                "doc_ids": [document_id(document) for document in query.judged],
                "relevance": list(query.judged.values()),
            }
            print(_compact({"query_id": query.query_id, **judged}), file=qrels)

    return add


def _compact(row: dict[str, Any]) -> str:
    return json.dumps(row, separators=(",", ":"))


def _parquet(folder: Path, stack: ExitStack) -> Writer:
    ids = [("query_id", pa.string()), ("doc_id", pa.string())]
    run_schema, qrels_schema = pa.schema([*ids, ("score", pa.float64())]), pa.schema([*ids, ("relevance", pa.int64())])
    run = stack.enter_context(pq.ParquetWriter(folder / "run.parquet", run_schema))
    qrels = stack.enter_context(pq.ParquetWriter(folder / "qrels.parquet", qrels_schema))

    def add(block: list[Query]) -> None:
        run.write_table(_table(run_schema, [(query.query_id, query.documents, query.scores) for query in block]))
        judged = [(query.query_id, list(query.judged), list(query.judged.values())) for query in block]
        qrels.write_table(_table(qrels_schema, judged))

    return add


def _table(schema: pa.Schema, rows: list[tuple[str, list[int], list[Any]]]) -> pa.Table:
    return pa.table(
        [
            [query_id for query_id, documents, _ in rows for _ in documents],
            [document_id(document) for _, documents, _ in rows for document in documents],
            [value for _, _, values in rows for value in values],
        ],
        schema=schema,
    )


_WRITERS = {"trec": _trec, "jsonl": _jsonl, "columnar": _columnar, "parquet": _parquet}


def main() -> None:
    """Parse the command line and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--hits", type=int, default=100)
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--formats", default=",".join(FORMATS), help="from " + ", ".join(FORMATS))
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    write(
        options.folder, options.queries, options.hits, options.documents, options.formats.split(","), seed=options.seed
    )


if __name__ == "__main__":
    main()
