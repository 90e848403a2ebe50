"""Every modality of the suite has at least `validate.min_queries` answerable and as many unanswerable queries.

An empty or missing set is an error. Lines that another check refused count as far as they say what they are.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bench.checks.base import Contents, Finding

CODE = "E151"
NAME = "minimum_counts"
REMEDY = "Add queries, or leave the modality's sources out of the suite: a measure over a handful says nothing."


class Classes(NamedTuple):
    """How many queries of a modality are answerable and unanswerable."""

    answerable: int
    unanswerable: int


def classes(contents: Contents, modality: str) -> Classes:
    """The counts of one modality."""
    flags = [query.annotation.unanswerable for query in contents.queries if query.annotation.modality == modality]
    flags += [row.unanswerable for row in contents.refused["annotation", modality] if row.unanswerable is not None]
    return Classes(flags.count(False), flags.count(True))


def check(contents: Contents) -> Iterator[Finding]:
    """Yield each class of each modality that is too small; a set that is empty or missing once."""
    least = contents.limits.min_queries
    for modality in contents.modalities:
        path = f"sets/{modality}.jsonl"
        counts = classes(contents, modality)
        if f"{modality}.jsonl" not in contents.files["sets"]:
            yield Finding(CODE, path, 0, "", "no such file", "a set for every modality of the manifest")
        elif not any(counts) and not contents.refused["annotation", modality]:
            yield Finding(CODE, path, 0, "", "an empty set", f"at least {least} answerable queries")
        else:
            for name, count in counts._asdict().items():
                if count < least:
                    yield Finding(CODE, path, 0, "", f"{count} {name} queries", f"at least {least}")
