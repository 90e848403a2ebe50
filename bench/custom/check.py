"""`bench custom check`: every fault of a data set at once, with file and line, in a stable order.

One pass over each file. What stays in memory: ids with their lines, eight bytes for each text, and the judgements.
"""

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

from bench.custom.advice import advise
from bench.custom.findings import KEPT, Finding, Findings, shown
from bench.custom.layout import Layout, find
from bench.custom.lines import Advance
from bench.custom.progress import advancing
from bench.custom.rows import Text, read_texts
from bench.custom.splits import Ids, Split, read_split
from bench.ids import normalise_question


class Share(NamedTuple):
    """`broken` of `of` judgements of a file break a rule."""

    file: str
    rule: str
    broken: int
    of: int


class Report(NamedTuple):
    """What was found, and the size of the data set.

    findings   of each rule in each file the first hundred, unless all were asked for; `counts` has all
    figures    documents, queries, and of each split: judgements, queries, negatives, scores
    """

    findings: list[Finding]
    counts: dict[str, int]
    errors: int
    warnings: int
    shares: list[Share]
    figures: dict[str, Any]

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        return self._asdict() | {
            "findings": [finding.document() for finding in self.findings],
            "shares": [share._asdict() for share in self.shares],
        }


def check(folder: Path, kept: int | None = KEPT) -> Report:
    """Check a data set. BenchError where `folder` is none; `kept` None keeps every finding."""
    findings = Findings(kept)
    layout = find(folder, findings)
    files = [layout.corpus, layout.queries, *layout.splits.values()]
    with advancing("check", sum(path.stat().st_size for path in files if path.is_file())) as advance:
        documents = _read_ids(layout.corpus, layout, findings, advance)
        queries = _read_ids(layout.queries, layout, findings, advance)
        splits = {
            name: read_split(path, layout.name(path), documents, queries, findings, advance)
            for name, path in layout.splits.items()
        }
    advise(layout, documents, queries, list(splits.values()), findings)
    return Report(
        findings.sorted(),
        dict(sorted(findings.counts.items())),
        findings.errors,
        findings.warnings,
        _shares(list(splits.values())),
        {
            "documents": len(documents.lines),
            "queries": len(queries.lines),
            "splits": {name: split.figures() for name, split in splits.items()},
        },
    )


def _read_ids(path: Path, layout: Layout, findings: Findings, advance: Advance) -> Ids:
    name = layout.name(path)
    ids = Ids()
    first_of: dict[int, str] = {}
    for row in read_texts(path, name, findings, advance):
        if row.id in ids.lines:
            found = f"_id {shown(row.id)} stands in line {ids.lines[row.id]} already"
            findings.add("duplicate_id", name, row.line, found)
            continue
        ids.lines[row.id] = row.line
        if row.text is None:
            continue
        if not row.text.strip() and not row.title.strip():
            if path == layout.queries:
                findings.add("empty_query", name, row.line, f"query {shown(row.id)} has no text")
            else:
                findings.add("empty_document", name, row.line, f"document {shown(row.id)} has neither text nor title")
            continue
        first = first_of.setdefault(_content(row), row.id)
        if first != row.id:
            ids.copies[row.id] = first
    return ids


def _content(row: Text) -> int:
    """A number for what a text says: case, width and blanks do not count."""
    text = normalise_question(f"{row.title} {row.text}")
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def _shares(splits: list[Split]) -> list[Share]:
    return [
        Share(split.file, rule, count, split.judgements)
        for split in splits
        for rule, count in (("unknown_query", split.unknown_queries), ("unknown_document", split.unknown_documents))
        if count
    ]
