"""Gold comes from people or from the document's structure: what a model made is never gold.

Two upstreams mix both, and mark what a model wrote in the row's file: ChartQA's augmented questions, and ScreenQA's
complex set.
"""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding

CODE = "E133"
NAME = "annotation_source"
REMEDY = "Leave the rows out; a suite with machine-made gold measures agreement with that machine."

_ALLOWED = ("human", "structure")
_MODEL_MADE = {"chartqa": "_augmented_", "screenqa": "complex_qa/"}


def check(contents: Contents) -> Iterator[Finding]:
    """Yield manifest lines of another kind, and queries from files that a model wrote."""
    for row in contents.manifest:
        if row.annotation_source not in _ALLOWED:
            yield row.finding(
                CODE, f"{row.source} has annotation_source {row.annotation_source or 'unstated'}", " or ".join(_ALLOWED)
            )
    for query in contents.queries:
        origin = query.annotation.origin
        for family, marker in _MODEL_MADE.items():
            if origin.dataset.startswith(family) and marker in origin.item:
                yield query.finding(CODE, f"{origin.item} was written by a model", "questions that people asked")
