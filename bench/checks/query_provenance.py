"""A query's origin, its dataset at its revision, is in the manifest."""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding

CODE = "E130"
NAME = "query_provenance"
REMEDY = "Correct origin, or rebuild with the source in params.yaml."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield queries from a dataset or revision that the manifest does not have."""
    known = {(row.dataset, row.revision) for row in contents.manifest}
    for query in contents.queries:
        origin = query.annotation.origin
        if (origin.dataset, origin.revision) not in known:
            yield query.finding(CODE, f"{origin.dataset} at {origin.revision}", _allowed(contents, origin.dataset))


def _allowed(contents: Contents, dataset: str) -> str:
    row = contents.by_dataset.get(dataset)
    return f"{dataset} at {row.revision}" if row else f"a dataset of the manifest: {', '.join(contents.by_dataset)}"
