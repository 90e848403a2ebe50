"""Rows in = kept + excluded: metrics/dataset.json adds up for every source, and agrees with the files.

Per source and kind, `kept` is the number of queries (without twins) in sets/, or of entries in corpus/, and `excluded`
that of lines in sets/excluded.jsonl, by reason too. A line that another check refused, and that does not say of which
dataset it is, may be of any.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec import UNSET

from bench.checks.base import Account, Contents, Finding, Manifested

CODE = "E152"
NAME = "rows_accounted"
REMEDY = "Run normalize again; if it stays, the files were changed by hand."

_PATH = "metrics/dataset.json"
_KEPT = {"question": "annotation", "document": "corpus"}


def check(contents: Contents) -> Iterator[Finding]:
    """Yield each number that does not add up."""
    listed = {row.source for row in contents.manifest}
    for source in sorted(listed ^ set(contents.accounts)):
        found = f"by_source {'lacks' if source in listed else 'has'} {source}"
        yield Finding(CODE, _PATH, 0, "", found, "the sources of corpus/manifest.jsonl")
    present = {kind: _present(contents, kind) for kind in _KEPT}
    for row in contents.manifest:
        if row.source in contents.accounts:
            for found, allowed in _faults(contents, row, contents.accounts[row.source], present):
                yield Finding(CODE, _PATH, 0, "", f"{row.source}: {found}", allowed)


def _present(contents: Contents, kind: str) -> Counter[str]:
    """Lines by dataset, twins left out; under the empty name those that may be of any."""
    if kind == "document":
        found = Counter(entry.head.dataset for entry in contents.entries)
    else:
        annotations = (query.annotation for query in contents.queries)
        found = Counter(annotation.origin.dataset for annotation in annotations if annotation.twin_of is UNSET)
    for (refused, _), rows in contents.refused.items():
        if refused == _KEPT[kind]:
            found.update(row.dataset for row in rows if not row.twin)
    unknown = sum(count for dataset, count in found.items() if dataset not in contents.by_dataset)
    return found + Counter({"": unknown - found[""]})


def _faults(
    contents: Contents, row: Manifested, account: Account, present: dict[str, Counter[str]]
) -> Iterator[tuple[str, str]]:
    """(what was found, what is allowed) of one source."""
    reasons = {f"{kind}:{reason}": n for (source, kind, reason), n in contents.excluded.items() if source == row.source}
    for kind, said in account.kinds.items():
        if said.rows != said.kept + said.excluded:
            found = f"{said.rows} {kind} rows in, {said.kept} kept and {said.excluded} excluded"
            yield found, "rows = kept + excluded"
        lines = sum(n for key, n in reasons.items() if key.startswith(f"{kind}:"))
        if lines != said.excluded:
            found = f"{said.excluded} {kind} rows excluded, {lines} lines in sets/excluded.jsonl"
            yield found, "one line a row that was left out"
        if kind in _KEPT and not 0 <= said.kept - present[kind][row.dataset] <= present[kind][""]:
            found = f"{said.kept} {kind} rows kept, {present[kind][row.dataset]} lines there"
            yield found, "one line a row that was kept"
    for key in sorted(set(reasons) | set(account.excluded)):
        if reasons.get(key, 0) != account.excluded.get(key, 0):
            found = f"{account.excluded.get(key, 0)} rows excluded as {key}, {reasons.get(key, 0)} lines"
            yield found, "one line a row that was left out"
