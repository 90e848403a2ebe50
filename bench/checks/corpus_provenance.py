"""A corpus entry's dataset and revision are in the manifest."""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding

CODE = "E131"
NAME = "corpus_provenance"
REMEDY = "Rebuild the corpus: normalize writes both from the registry entry."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield entries of a dataset or revision that the manifest does not have."""
    known = {(row.dataset, row.revision) for row in contents.manifest}
    for entry in contents.entries:
        if (entry.head.dataset, entry.revision) not in known:
            yield entry.finding(
                CODE,
                f"{entry.head.source_id} is of {entry.head.dataset} at {entry.revision}",
                "a dataset and revision of corpus/manifest.jsonl",
            )
