"""States made by hand: a few image queries, whole rankings and their scores, in folders of a test's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml

from bench.diff.compare import Options, compare
from bench.diff.model import Comparison, Row, Split
from bench.diff.sides import Side
from bench.diff.states import Workspace
from bench.jsonl import write_document, write_rows
from bench.records import Annotation, CorpusEntry, Gold, Hit, Origin, RunLine, Scope
from bench.root import ROOT
from bench.score.run import score
from bench.suite import Suite

SUITE = "suites/mini"
EVERY = Options(every=True, rescore=True)


@dataclass(frozen=True)
class Made:
    """A state. `gold` and `ranks` map a query to sources, best first; a query without gold is unanswerable."""

    gold: Mapping[str, Sequence[str]]
    ranks: Mapping[str, Sequence[str]]
    corpus: Sequence[str] = tuple("abcdefgh")
    questions: Mapping[str, str] = field(default_factory=dict)
    items: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    times: Mapping[str, str] = field(default_factory=dict)
    excluded: Mapping[str, str] = field(default_factory=dict)
    systems: Sequence[str] = ("mine",)
    acceptance: bool = False

    def but(self, **changes: object) -> "Made":
        """The same state with other values."""
        return replace(self, **changes)  # type: ignore[arg-type]


def write_state(root: Path, made: Made) -> Suite:
    """Write `made` as a suite under `root`, scored by the scorer."""
    folder = root / SUITE
    folder.mkdir(parents=True, exist_ok=True)
    params = yaml.safe_load((ROOT / "suites/third-party/params.yaml").read_text(encoding="utf-8"))
    params["retrieve"]["systems"] = list(made.systems)
    params["score"]["acceptance"] = made.acceptance
    (folder / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
    (folder / "dvc.yaml").write_text("stages: {}\n", encoding="utf-8")
    suite = Suite(folder)
    write_rows(suite.manifest, [{"source": "pics", "dataset": "pics", "text": "units"}])
    write_rows(suite.corpus / "image.jsonl", [entry(name, made) for name in made.corpus])
    write_rows(suite.sets / "image.jsonl", [query(name, gold, made) for name, gold in sorted(made.gold.items())])
    write_rows(
        suite.sets / "excluded.jsonl",
        [
            {"source": "pics", "dataset": "pics", "kind": "question", "item": item, "reason": reason, "detail": detail}
            for item, (reason, _, detail) in ((item, why.partition("=")) for item, why in made.excluded.items())
        ],
    )
    for system in made.systems:
        write_rows(
            suite.runs / system / "image.jsonl",
            [line(name, made.ranks[name]) for name in sorted(made.ranks.keys() & made.gold.keys())],
        )
    write_document(suite.metrics / "dataset.json", {"all": {"sources": len(made.corpus)}})
    score(suite)
    return suite


def entry(name: str, made: Made) -> CorpusEntry:
    return CorpusEntry(
        source_id=name, modality="image", holder="h", observed_at=made.times.get(name, "2025-01-01T00:00:00Z"),
        dataset="pics", revision="1", title=name, extent={"width": 9, "height": 9}, units=[],
    )  # fmt: skip


def query(name: str, gold: Sequence[str], made: Made) -> Annotation:
    return Annotation(
        query_id=name,
        modality="image",
        question=made.questions.get(name, f"Which picture shows {name}?"),
        answer=made.answers.get(name, "this") if gold else None,
        answer_format="str" if gold else "none",
        gold=[Gold(source, {}) for source in gold],
        scope=Scope("h", None, "pictures"),
        as_of="2025-12-31T00:00:00Z",
        unanswerable=not gold,
        origin=Origin("pics", "1", made.items.get(name, f"row of {name}"), "CC0-1.0"),
        split="dev",
    )


def line(name: str, ranked: Sequence[str]) -> RunLine:
    return RunLine(name, [Hit(10.0 - rank, rank == 0, source, {}) for rank, source in enumerate(ranked)])


def compared(folder: Path, old: Made, new: Made, options: Options = EVERY) -> Comparison:
    """The comparison of two states, both on disk."""
    write_state(folder / "old", old)
    write_state(folder / "new", new)
    return compared_on_disk(folder, options)


def compared_on_disk(folder: Path, options: Options = EVERY) -> Comparison:
    """The comparison of what lies in `old` and `new` of a folder."""
    return compare(Side(Workspace(folder / "old"), SUITE), Side(Workspace(folder / "new"), SUITE), options)


def row_of(comparison: Comparison, measure: str, modality: str = "all") -> Row:
    """The only row of a measure."""
    [found] = [row for row in comparison.rows if (row.measure, row.modality) == (measure, modality)]
    return found


def split_of(comparison: Comparison, measure: str, modality: str = "all") -> Split:
    """The only split of a measure."""
    [found] = [split for split in comparison.splits if (split.measure, split.modality) == (measure, modality)]
    return found


def parts_of(comparison: Comparison, measure: str) -> dict[str, float]:
    """{cause: change} of the causes that moved a measure."""
    return {part.cause: part.change for part in split_of(comparison, measure).parts if part.change}


# Worked example E5: four queries; new labels move q2 and give q3 a second picture; the new run swaps the ranks.
LABELS_OLD = {"q1": "a", "q2": "c", "q3": "e", "q4": "g"}
LABELS_NEW = {"q1": "a", "q2": "d", "q3": "ef", "q4": "g"}
RUN_OLD = {"q1": "ab", "q2": "dc", "q3": "ef", "q4": "hg"}
RUN_NEW = {"q1": "ba", "q2": "dc", "q3": "fe", "q4": "gh"}
OLD = Made(LABELS_OLD, RUN_OLD)
