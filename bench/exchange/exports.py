"""`bench runs export`: a run and its gold as TREC text, so that trec_eval and its kin can check us.

They give our numbers wherever a hit finds a gold region by being it: pages, pictures, turns, symbols. Overlap (boxes,
spans), lines within symbols, blocks within pages, and chunks over several regions have no counterpart in qrels.
Qrels hold integers: fractional grades (the mean of several people's) are all multiplied by one factor, which changes no
nDCG of linear gain. A query without hits has no line, so an abstention reads as a query that was not asked.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import NamedTuple

from bench.errors import BenchError
from bench.exchange.docids import docid_of
from bench.jsonl import replacing
from bench.own.check import check
from bench.own.load import load, locate
from bench.own.score import SPLITS
from bench.records import Annotation
from bench.score.judge import grade, place, rank
from bench.score.run import read_corpus, read_queries
from bench.score.runs import Run
from bench.suite import Suite

OVERLAP = ("ui_screenshot", "video")
# A mean of grades has at most this denominator.
_MOST_ANNOTATORS = 20


class Exported(NamedTuple):
    """Lines written, the factor of the grades, and the modalities whose scores qrels cannot give."""

    hits: int
    judgements: int
    factor: int
    overlap: list[str]


class Judgement(NamedTuple):
    """A gold region of a query, and its grade."""

    query_id: str
    docid: str
    grade: Fraction


def export_run(suite: Suite, run: Path, split: str, trec: Path, qrels: Path | None) -> Exported:
    """Write the run's hits on the queries of `split`, in rank order, and the gold of those that are answerable.

    BenchError on a faulty run, and on an id with a blank, which TREC text cannot hold.
    """
    if split not in SPLITS:
        raise BenchError(f"split {split!r}; allowed: {', '.join(SPLITS)}")
    queries, corpus = read_queries(suite), read_corpus(suite)
    check(locate(run, suite), queries, corpus)
    loaded = load(run, suite, queries)
    chosen = {key: query for key, query in queries.items() if query.split in SPLITS[split]}
    modalities = {modality for modality, line in loaded.lines() if line.query_id in chosen}
    judgements = [each for query in chosen.values() if query.modality in modalities for each in _judgements(query)]
    factor = lcm(*(judgement.grade.denominator for judgement in judgements))
    if qrels:
        _write(qrels, ((each.query_id, "0", each.docid, str(int(each.grade * factor))) for each in judgements))
    hits = _write(trec, _hits(loaded, chosen))
    return Exported(hits, len(judgements), factor, sorted(modalities & set(OVERLAP)))


def _judgements(query: Annotation) -> Sequence[Judgement]:
    return [
        Judgement(
            query.query_id,
            docid_of(gold.source_id, [gold.region]),
            Fraction(grade(query, index)).limit_denominator(_MOST_ANNOTATORS),
        )
        for index, gold in enumerate(query.gold)
    ]


def _hits(run: Run, queries: Mapping[str, Annotation]) -> Iterator[tuple[str, ...]]:
    tag = "_".join(run.name.split())
    for _, line in run.lines():
        if line.query_id in queries:
            placed = rank([place(hit, run.atoms, run.name) for hit in line.hits], run.name)
            for number, hit in enumerate(placed, 1):
                yield line.query_id, "Q0", hit.docid.decode(), str(number), repr(float(hit.score)), tag


def _write(path: Path, lines: Iterable[tuple[str, ...]]) -> int:
    count = 0
    with replacing(path) as file:
        for fields in lines:
            text = " ".join(fields)
            if len(text.split()) != len(fields):
                raise BenchError(f"{text!r} has a blank within an id, which TREC text cannot hold: use `bench score`")
            file.write(f"{text}\n".encode())
            count += 1
    return count
