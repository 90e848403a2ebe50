"""A session is a source of the holder who asks, and all gold lies in it."""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding, Query

CODE = "E124"
NAME = "session"
REMEDY = "Name the source that the question is asked about, or null for a search over all of the holder's."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield sessions that the holder does not have, and gold outside of the session."""
    for query in contents.queries:
        if query.annotation.scope.session is not None:
            yield from _check(contents, query, query.annotation.scope.session)


def _check(contents: Contents, query: Query, session: str) -> Iterator[Finding]:
    modality, asks = query.annotation.modality, query.annotation.scope.holder
    entry = contents.sources.get((modality, session))
    if contents.absent(modality, session):
        yield query.finding(CODE, f"session {session}", f"a source_id of corpus/{modality}.jsonl")
    elif entry and entry.head.holder != asks and all(gold.source_id != session for gold in query.annotation.gold):
        # Where gold lies in it, gold_holder says the same.
        yield query.finding(CODE, f"session {session} of {entry.head.holder}", f"a source of {asks}")
    for gold in query.annotation.gold:
        if gold.source_id != session:
            yield query.finding(CODE, f"gold in {gold.source_id}", f"gold in the session, {session}")
