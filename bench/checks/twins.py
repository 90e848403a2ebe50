"""A twin is its answerable original put so that its evidence must not come back, and nothing else.

Same question, modality and origin; no session; unanswerable; its id is the original's with `~holder` (asked by another
holder) or `~before` (asked before any of the original's gold was observed). No other id ends so.
"""

from collections.abc import Iterator

from msgspec import UNSET

from bench.checks.base import Contents, Finding, Query
from bench.normalize.twins import SUFFIX
from bench.records import TwinOf

CODE = "E141"
NAME = "twins"
REMEDY = "Run normalize again: twins are derived, never written by hand."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield each way in which a twin is none."""
    for query in contents.queries:
        twin_of = query.annotation.twin_of
        if twin_of is not UNSET:
            yield from _check(contents, query, twin_of)
        elif query.annotation.query_id.endswith(tuple(SUFFIX.values())):
            yield query.finding(CODE, "the id of a twin without twin_of", "twin_of on every twin")


def _check(contents: Contents, query: Query, twin_of: TwinOf) -> Iterator[Finding]:
    twin = query.annotation
    wanted_id = twin_of.query_id + SUFFIX[twin_of.kind]
    if twin.query_id != wanted_id:
        yield query.finding(CODE, f"query_id {twin.query_id}", wanted_id)
    if not twin.unanswerable:
        yield query.finding(CODE, "an answerable twin", "unanswerable: true")
    if twin.scope.session is not None:
        yield query.finding(CODE, f"session {twin.scope.session}", "session null: a twin searches all that it may see")
    original = contents.by_query_id.get(twin_of.query_id)
    if original:
        yield from _compare(contents, query, original, twin_of.kind)
    elif ("annotation", twin_of.query_id) not in contents.refused_items:
        yield query.finding(CODE, f"no query {twin_of.query_id}", "an original in the sets")


def _compare(contents: Contents, query: Query, original: Query, kind: str) -> Iterator[Finding]:
    twin, first = query.annotation, original.annotation
    if first.unanswerable:
        yield query.finding(CODE, f"a twin of {first.query_id}, which is unanswerable", "an answerable original")
    for field in ("question", "modality", "origin"):
        if getattr(twin, field) != getattr(first, field):
            yield query.finding(CODE, f"another {field} than its original's", f"that of {first.query_id}")
    if kind == "other_holder":
        if twin.scope.holder == first.scope.holder:
            yield query.finding(CODE, f"holder {twin.scope.holder}, as its original", "another holder")
        return
    if twin.scope.holder != first.scope.holder:
        yield query.finding(CODE, f"holder {twin.scope.holder}", f"{first.scope.holder}, the original's")
    earliest = min((entry.head.observed_at for _, entry in contents.evidence(first)), default=None)
    if earliest is not None and twin.as_of >= earliest:
        yield query.finding(CODE, f"as_of {twin.as_of}", f"before {earliest}, when the first of the gold was observed")
