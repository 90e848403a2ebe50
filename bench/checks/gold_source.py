"""Every gold source is an entry of the corpus of the query's modality."""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding

CODE = "E121"
NAME = "gold_source"
REMEDY = "Correct the source_id, or rebuild the corpus."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield each gold whose source is not in the corpus."""
    for query in contents.queries:
        modality = query.annotation.modality
        for index, gold in enumerate(query.annotation.gold):
            if contents.absent(modality, gold.source_id):
                yield query.finding(
                    CODE, f"$.gold[{index}]: source {gold.source_id}", f"a source_id of corpus/{modality}.jsonl"
                )
