"""validate: every check on a suite, all findings at once, in a stable order.

Findings go to `<suite>/validation.json`, errors before warnings, then by path, line and code.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.checks import SUITE_CHECKS, modules
from bench.checks.base import Finding
from bench.checks.reading import read_contents
from bench.jsonl import write_document
from bench.suite import Suite

WRITTEN = 1000
PRINTED_ERRORS = 200
PRINTED_WARNINGS = 20


class Validation(NamedTuple):
    """What was found, and how many lines of the sets and the corpus were checked, refused ones included."""

    errors: list[Finding]
    warnings: list[Finding]
    queries: int
    sources: int

    def document(self) -> dict[str, Any]:
        """What validation.json says; of many findings the first 1,000, all of them in the counts."""
        findings = self.errors + self.warnings
        return {
            "errors": len(self.errors),
            "warnings": len(self.warnings),
            "by_code": dict(Counter(finding.code for finding in findings)),
            "checked": {"queries": self.queries, "sources": self.sources},
            "findings": [finding._asdict() for finding in findings[:WRITTEN]],
        }


def validate(suite: Suite) -> Validation:
    """Run every check and write validation.json. BenchError where a stage before this one has not run."""
    contents, findings = read_contents(suite)
    for module in modules(SUITE_CHECKS):
        findings += module.check(contents)
    findings.sort(key=lambda finding: (finding.path, finding.line, finding.code, finding))
    refused = Counter(kind for (kind, _), rows in contents.refused.items() for _ in rows)
    validation = Validation(
        errors=[finding for finding in findings if finding.code.startswith("E")],
        warnings=[finding for finding in findings if not finding.code.startswith("E")],
        queries=len(contents.queries) + refused["annotation"],
        sources=len(contents.entries) + refused["corpus"],
    )
    write_document(suite.validation, validation.document())
    return validation


def report(suite: Suite, validation: Validation) -> Iterator[str]:
    """What is printed: findings as `CODE path:line query_id found; allowed: ...`, then the counts."""
    for findings, most, name in (
        (validation.errors, PRINTED_ERRORS, "errors"),
        (validation.warnings, PRINTED_WARNINGS, "warnings"),
    ):
        for finding in findings[:most]:
            yield _render(suite, finding)
        if len(findings) > most:
            yield f"... and {len(findings) - most} more {name}; see {suite.show(suite.validation)}"
    by_code = validation.document()["by_code"]
    codes = ", ".join(f"{code} {by_code[code]}" for code in sorted(by_code))
    yield (
        f"validate: {validation.queries:,} queries and {validation.sources:,} sources, "
        f"{len(validation.errors):,} errors, {len(validation.warnings):,} warnings" + (f" ({codes})" if codes else "")
    )


def _render(suite: Suite, finding: Finding) -> str:
    base = suite.home if finding.path.startswith("metrics/") else suite.directory
    place = f"{suite.show(base / finding.path)}:{finding.line}"
    return _one_line(f"{finding.code} {place} {finding.query_id or '-'} {finding.found}; allowed: {finding.allowed}")


def _one_line(text: str) -> str:
    """`text` for a terminal: what is not printable, such as a line break in an id, is escaped."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
