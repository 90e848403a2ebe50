"""The judgements of one split, held against queries and documents."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.custom.findings import Findings, shown
from bench.custom.lines import Advance
from bench.custom.rows import Judgement, read_judgements

_LISTED = 20


@dataclass
class Ids:
    """The ids of corpus.jsonl or queries.jsonl.

    lines    the line of each
    copies   those whose text stands further up under another id, and that id
    """

    lines: dict[str, int] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)


@dataclass
class Split:
    """A split as the check sees it.

    scores   {query: {document: (line, score)}}, unknown ones included, the first where a pair stands twice
    grades   how many judgements have each score
    """

    file: str
    scores: dict[str, dict[str, tuple[int, float]]] = field(default_factory=dict)
    grades: Counter[float] = field(default_factory=Counter)
    unknown_queries: int = 0
    unknown_documents: int = 0

    def figures(self) -> dict[str, Any]:
        """Its size, for people; the scores where there are no more than 20 different ones."""
        figures: dict[str, Any] = {
            "judgements": self.judgements,
            "queries": len(self.scores),
            "negatives": self.negatives,
            "different_scores": len(self.grades),
        }
        if len(self.grades) <= _LISTED:
            figures["scores"] = {f"{score:g}": self.grades[score] for score in sorted(self.grades)}
        return figures

    @property
    def judgements(self) -> int:
        """How many lines judge something."""
        return self.grades.total()

    @property
    def negatives(self) -> int:
        """How many of them have a score of 0 or less."""
        return sum(count for score, count in self.grades.items() if score <= 0)

    def relevant(self, query_id: str) -> list[str]:
        """The documents of a query with a score above 0."""
        return [doc_id for doc_id, (_, score) in self.scores.get(query_id, {}).items() if score > 0]


def read_split(path: Path, file: str, documents: Ids, queries: Ids, findings: Findings, advance: Advance) -> Split:
    """Read and check the judgements of a split."""
    split = Split(file)
    fractional = _Several("fractional_score", "fractions")
    negative = _Several("negative_score", "below 0")
    for row in read_judgements(path, file, findings, advance):
        split.grades[row.score] += 1
        if row.query_id not in queries.lines:
            split.unknown_queries += 1
            findings.add("unknown_query", file, row.line, f"query {shown(row.query_id)}")
        if row.doc_id not in documents.lines:
            split.unknown_documents += 1
            findings.add("unknown_document", file, row.line, f"document {shown(row.doc_id)}")
        if not float(row.score).is_integer():
            fractional.add(row)
        if row.score < 0:
            negative.add(row)
        _add(split, row, findings)
    for several in (fractional, negative):
        several.report(split, findings)
    for query_id, scores in split.scores.items():
        if not split.relevant(query_id):
            line = next(iter(scores.values()))[0]
            found = f"query {shown(query_id)} has no score above 0 among its {len(scores)}"
            findings.add("no_relevant", file, line, found)
    return split


def _add(split: Split, row: Judgement, findings: Findings) -> None:
    """Take a judgement in; of two for one pair the first counts."""
    line, score = split.scores.setdefault(row.query_id, {}).setdefault(row.doc_id, (row.line, row.score))
    if line == row.line:
        return
    pair = f"query {shown(row.query_id)}, document {shown(row.doc_id)}"
    if score == row.score:
        findings.add("duplicate_judgement", split.file, row.line, f"{pair}: line {line} says the same")
    else:
        findings.add(
            "contradiction", split.file, row.line, f"{pair}: score {row.score:g}, but {score:g} in line {line}"
        )


class _Several:
    """Scores of a kind, reported once for a file."""

    def __init__(self, rule: str, what: str) -> None:
        self._rule = rule
        self._what = what
        self._count = 0
        self._first: Judgement | None = None

    def add(self, row: Judgement) -> None:
        self._count += 1
        self._first = self._first or row

    def report(self, split: Split, findings: Findings) -> None:
        if self._first:
            found = f"{self._count:,} of {split.judgements:,} scores are {self._what}, the first {self._first.score:g}"
            findings.add(self._rule, split.file, self._first.line, found)
