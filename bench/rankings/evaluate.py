"""Evaluating a run: each measure over all judged queries, as `trec_eval -c` has it.

A judged query without a line in the run counts as 0, and so does one that has no relevant document: the denominator is
the number of judged queries, and both kinds are counted. Sums are exact (`math.fsum`), so that the order of queries
does not matter.
"""

import gc
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from bench.errors import BenchError
from bench.jsonl import encode, replacing
from bench.measures import record
from bench.rankings.formats import read_qrels, read_run
from bench.rankings.measures import KEYS, measure

_SHOWN = 5
PerQuery = Callable[[Sequence[str], Sequence[Sequence[float]], bool], None]


class Evaluation(NamedTuple):
    """measures   {key: {value, numerator, denominator, n, of}}; n counts the judged queries with a line in the run

    counts     queries judged, n_missing of them without a line in the run (each measure 0), n_without_relevant of them
               without a grade above 0 (each measure 0), queries of the run that nobody judged, hits of judged queries
    """

    measures: dict[str, dict[str, Any]]
    counts: dict[str, int]


def evaluate(
    qrels_path: Path, run_path: Path, per_query: Path | None = None, allow_unknown: bool = False
) -> Evaluation:
    """Hold a run against qrels. `allow_unknown` counts queries that nobody judged, which are an error else.

    `per_query` names a file that gets a line for each judged query: `.tsv`, or JSON Lines.
    """
    values = [array("d") for _ in KEYS]
    answered = hits = 0
    with _no_collector(), _written(per_query) as write:
        qrels = read_qrels(qrels_path)
        for batch in read_run(run_path, qrels):
            measured = measure(batch)
            for column, row in zip(values, measured, strict=True):
                column.frombytes(row.tobytes())
            answered += len(batch.query_ids)
            hits += batch.hits
            write(batch.query_ids, measured.T.tolist(), True)
        _check_overlap(qrels_path, run_path, answered, list(qrels.unknown), qrels.untaken(), allow_unknown)
        for query_id in qrels.untaken():
            write([query_id], [[0.0] * len(KEYS)], False)
    missing = qrels.queries - answered
    measures = {}
    for key, column in zip(KEYS, values, strict=True):
        column.frombytes(bytes(column.itemsize * missing))
        if made := record(column, answered):
            measures[key] = made
    counts = {
        "n_queries": qrels.queries,
        "n_missing": missing,
        "n_without_relevant": qrels.without_relevant,
        "n_unknown": len(qrels.unknown),
        "hits": hits,
    }
    return Evaluation(measures, counts)


def _check_overlap(
    qrels: Path, run: Path, answered: int, unknown: Sequence[str], untaken: Iterator[str], allow_unknown: bool
) -> None:
    if not answered and not unknown:
        raise BenchError(f"{run} is empty: it answers no query")
    first = ", ".join(map(repr, unknown[:_SHOWN]))
    if not answered:
        judged = ", ".join(map(repr, islice(untaken, _SHOWN)))
        raise BenchError(f"no query of {run} is judged in {qrels}: the run has {first}, the qrels have {judged}")
    if unknown and not allow_unknown:
        raise BenchError(
            f"{len(unknown)} queries of {run} are not judged in {qrels}, first {first}; give the qrels of all queries, "
            "or --allow-unknown to count them and leave them out"
        )


@contextmanager
def _no_collector() -> Iterator[None]:
    """Nothing here refers to itself, and the collector would walk through all judgements again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _written(path: Path | None) -> Iterator[PerQuery]:
    """A function that writes the lines of some queries to `path`, which is there only when all went well."""
    if path is None:
        yield lambda query_ids, rows, answered: None
        return
    with replacing(path) as file:
        if path.suffix == ".tsv":
            file.write(("\t".join(("query_id", "answered", *KEYS)) + "\n").encode())

        def write(query_ids: Sequence[str], rows: Sequence[Sequence[float]], answered: bool) -> None:
            for query_id, row in zip(query_ids, rows, strict=True):
                if path.suffix == ".tsv":
                    line = "\t".join((query_id, str(int(answered)), *map(repr, row))).encode()
                else:
                    scores = dict(zip(KEYS, row, strict=True))
                    line = encode({"query_id": query_id, "answered": answered, "scores": scores})
                file.write(line + b"\n")

        yield write
