"""A query's split is the one that the hash of its original's query_id gives, under the stated share.

Twins share the split of their original.
"""

from collections.abc import Iterator

from msgspec import UNSET

from bench import ids
from bench.checks.base import Contents, Finding

CODE = "E140"
NAME = "split"
REMEDY = "Never move a query by hand: set the split that the hash gives."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield queries in the other split."""
    for query in contents.queries:
        twin_of = query.annotation.twin_of
        original = query.annotation.query_id if twin_of is UNSET else twin_of.query_id
        expected = ids.split(original, contents.dev_share)
        if query.annotation.split != expected:
            yield query.finding(CODE, f"split {query.annotation.split}", f"{expected}, by the hash of {original}")
