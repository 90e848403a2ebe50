"""`bench custom evaluate`: a system answers the queries of a checked data set, and is scored split by split."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.custom import results
from bench.custom.bm25 import Bm25, Hits, Settings
from bench.custom.check import Report, check
from bench.custom.findings import Finding, Findings
from bench.custom.layout import Layout, find
from bench.custom.lines import Advance
from bench.custom.progress import advancing
from bench.custom.rows import Text, read_judgements, read_texts
from bench.custom.scoring import Scored, score
from bench.errors import BenchError
from bench.ids import digest
from bench.jsonl import write_document, write_rows

SYSTEMS = ("bm25",)
DEPTH = 100

Judgements = dict[str, dict[str, float]]


class Options(NamedTuple):
    """What to evaluate. `splits` empty means all; `limit` is how many queries of each split are asked, None for all.

    overwrite   compute even what is kept under the same key
    """

    system: str
    k1: float
    b: float
    splits: list[str]
    limit: int | None
    overwrite: bool


class Refused(BenchError):
    """A data set with errors. `report` has them."""

    def __init__(self, folder: Path, report: Report) -> None:
        super().__init__(f"{folder} is not scored: {report.errors:,} errors; correct them, then evaluate again")
        self.report = report


class Outcome(NamedTuple):
    """result   what result.json holds

    folder   where it and its companions lie
    reused   whether it was kept from an earlier run with the same key
    changed  which parts of the key differ from a result that was replaced
    """

    result: dict[str, Any]
    folder: Path
    reused: bool
    changed: list[str]


def evaluate(folder: Path, options: Options, outputs: Path) -> Outcome:
    """Evaluate, or show what is kept. Refused where the data set has errors; BenchError on options that are none."""
    _check_options(options)
    layout = find(folder, Findings())
    splits = layout.chosen(options.splits)
    settings = {"system": options.system, "k1": options.k1, "b": options.b, "depth": DEPTH, "limit": options.limit}
    if not (layout.corpus.is_file() and layout.queries.is_file() and splits):
        raise Refused(folder, check(folder))
    key = results.key(layout, splits, settings)
    target = outputs / folder.resolve().name / options.system
    kept, changed = (None, []) if options.overwrite else results.kept(target, key)
    if kept:
        return Outcome(kept, target, True, [])
    report = check(folder)
    if report.errors:
        raise Refused(folder, report)
    results.clear(target)
    result = _compute(layout, splits, options, target) | {"key": key, "check": report.counts}
    write_document(target / results.RESULT, result)
    return Outcome(result, target, False, changed)


def _check_options(options: Options) -> None:
    if options.system not in SYSTEMS:
        raise BenchError(f"--system {options.system}; allowed: {', '.join(SYSTEMS)}")
    if options.limit is not None and options.limit < 1:
        raise BenchError(f"--limit {options.limit}; allowed: 1 or more queries")
    if not (options.k1 >= 0 and 0 <= options.b <= 1):
        raise BenchError(f"--k1 {options.k1:g} --b {options.b:g}; allowed: k1 of 0 or more, b from 0 to 1")


def _compute(layout: Layout, splits: dict[str, Path], options: Options, target: Path) -> dict[str, Any]:
    judged = {name: drawn(_judgements(path, layout), options.limit) for name, path in splits.items()}
    run = _run(layout, {query_id for of_split in judged.values() for query_id in of_split}, options)
    scored = {name: score(of_split, run) for name, of_split in judged.items()}
    write_rows(
        target / "per_query.jsonl",
        ({"split": name, **row} for name, of_split in scored.items() for row in of_split.per_query),
    )
    why_not = results.untrec(run, judged)
    if not why_not:
        results.write_trec(target, options.system, run, judged)
    return {
        "set": target.parent.name,
        "trec": why_not or "exported",
        "warnings": [finding.render() for finding in _saturated(layout, splits, scored)],
        "splits": {name: of_split.measures for name, of_split in scored.items()},
    }


def drawn(judgements: Judgements, limit: int | None) -> Judgements:
    """The first `limit` queries by the hash of their id: the same whatever the order, and part of any larger draw."""
    ids = sorted(judgements, key=lambda query_id: (digest("limit", query_id), query_id))
    return {query_id: judgements[query_id] for query_id in ids[:limit]}


def _judgements(path: Path, layout: Layout) -> Judgements:
    judged: Judgements = {}
    for row in read_judgements(path, layout.name(path), Findings(), _quietly):
        judged.setdefault(row.query_id, {})[row.doc_id] = row.score
    return judged


def _run(layout: Layout, query_ids: set[str], options: Options) -> dict[str, Hits]:
    """The hits of each query. The whole corpus is searched, whatever the limit on queries."""
    with advancing("index", layout.corpus.stat().st_size) as advance:
        index = Bm25(_texts(layout.corpus, layout, advance), Settings(options.k1, options.b, DEPTH))
    run: dict[str, Hits] = {}
    with advancing("answer", len(query_ids)) as advance:
        for query in _texts(layout.queries, layout, _quietly):
            if query.id in query_ids:
                run[query.id] = index.answer(f"{query.title}\n{query.text}")
                advance(1)
    return run


def _texts(path: Path, layout: Layout, advance: Advance) -> Iterator[Text]:
    return read_texts(path, layout.name(path), Findings(), advance)


def _saturated(layout: Layout, splits: dict[str, Path], scored: dict[str, Scored]) -> list[Finding]:
    """The warnings that only a score can give."""
    return [
        Finding(
            "saturated", layout.name(splits[name]), 0, f"recall@10 is 1 for all {len(of_split.per_query):,} queries"
        )
        for name, of_split in scored.items()
        if of_split.measures["recall@10"]["value"] == 1
    ]


def _quietly(count: int) -> None:
    """No progress is shown."""
