"""`bench score`: somebody's own run against a suite, without DVC. Nothing is written into the suite."""

from pathlib import Path
from typing import Any, NamedTuple

from bench.errors import BenchError
from bench.jsonl import encode, write_document, write_rows
from bench.manifest import textless as textless_of
from bench.own.check import check
from bench.own.latency import Latency, latency_line, read_latency
from bench.own.load import load, locate
from bench.records import MODALITIES
from bench.score.acceptance import Outcome, accept
from bench.score.provenance import digests, scored_from
from bench.score.report import print_scores
from bench.score.run import Scores, read_corpus, read_queries, score_run
from bench.score.runs import Run
from bench.suite import Suite
from bench.tables import console

SPLITS = {"dev": ("dev",), "test": ("test",), "all": ("dev", "test")}
EXIT_CODES = {"pass": 0, "fail": 1, "cannot-compare": 2}


class OwnScores(NamedTuple):
    """A run's scores; `acceptance` only where the test split is among them."""

    run: Run
    split: str
    scores: Scores
    acceptance: Outcome | None
    latency: dict[str, Latency]

    @property
    def exit_code(self) -> int:
        """0, unless acceptance was asked for: 1 where it fails, 2 where it cannot be said."""
        return EXIT_CODES[self.acceptance.outcome] if self.acceptance else 0


def score_own(suite: Suite, run: Path, split: str) -> OwnScores:
    """Check the run whole, then score it on `split`. BenchError on another split, and on any fault of the run."""
    if split not in SPLITS:
        raise BenchError(f"split {split!r}; allowed: {', '.join(SPLITS)}")
    queries, corpus = read_queries(suite), read_corpus(suite)
    check(locate(run, suite), queries, corpus)
    loaded = load(run, suite, queries)
    scores = score_run(loaded, queries, corpus, SPLITS[split], textless_of(suite))
    accepted = accept(scores.document, suite.params["score"]["thresholds"]) if "test" in SPLITS[split] else None
    return OwnScores(loaded, split, scores, accepted, read_latency(loaded.folder))


def write(suite: Suite, own: OwnScores, out: Path) -> None:
    """Write scores.json, per_query.jsonl and provenance.json into `out`. BenchError where that is in the suite."""
    if any(out.resolve().is_relative_to(place) for place in (suite.directory, suite.metrics)):
        raise BenchError(f"{out} lies within the suite, whose files dvc.lock describes: name a folder outside of it")
    write_document(out / "scores.json", own.scores.document)
    write_rows(out / "per_query.jsonl", own.scores.per_query)
    beside = [own.run.folder / name for name in ("atoms.jsonl", "system.json")]
    read = [*own.run.files, *(path for path in beside if path.is_file())]
    document = {
        **scored_from(suite),
        "run": {path.name: digests(path) for path in read},
        "split": own.split,
    }
    write_document(out / "provenance.json", document)


def show(suite: Suite, own: OwnScores, as_json: bool) -> None:
    """Print the score tables, the latency beside the run, and the outcome of acceptance; or all as JSON."""
    if as_json:
        print(encode(_document(own)).decode())
        return
    print_scores({own.run.name: own.scores.document}, {**suite.params["score"], "acceptance": bool(own.acceptance)})
    answered = {line.modality for line in own.scores.per_query if line.answered}
    if silent := [name for name in MODALITIES if name in own.scores.document and name not in answered]:
        console().print(f"  no line for any query of {', '.join(silent)}: each counts with the worst values")
    if own.latency:
        console().print(f"  {latency_line(own.latency)}", highlight=False)


def _document(own: OwnScores) -> dict[str, Any]:
    document = {"run": own.run.name, "split": own.split, "scores": own.scores.document, "latency": own.latency}
    if own.acceptance:
        document["acceptance"] = own.acceptance._asdict()
    return document
