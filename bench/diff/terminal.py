"""`bench diff` on a terminal: sentences on top, then rows, causes, labels, gates and notes of each suite."""

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeVar

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench.diff.causes import CAUSES
from bench.diff.model import Comparison, LabelChange, Part, Row, Split
from bench.diff.words import (
    OUTCOMES,
    flips_text,
    interval_text,
    is_headline,
    p_text,
    record_texts,
    row_counts,
    signed,
    verdict,
)
from bench.jsonl import encode
from bench.tables import console, table

T = TypeVar("T", Row, Split)
# A row with both sides' counts takes this much; a terminal folds what it has no room for.
_WIDTH_WITHOUT_TERMINAL = 180
_EXAMPLES = 5
_CHARACTERS = 160


def show(comparisons: Sequence[Comparison], every: bool, details: bool) -> None:
    """Print to stdout. `every`: unchanged rows and all measures; `details`: all ids and label changes."""
    out = console()
    if not sys.stdout.isatty():
        out.width = _WIDTH_WITHOUT_TERMINAL
    for comparison in comparisons:
        _print(out, comparison, every, details)


def _print(out: Console, comparison: Comparison, every: bool, details: bool) -> None:
    out.print(f"[bold]{escape(comparison.suite)}[/]: {_name(comparison.old_name, comparison.old)} -> "
              f"{_name(comparison.new_name, comparison.new)}")  # fmt: skip
    out.print(f"[bold]{escape(comparison.headline)}[/]", highlight=False)
    for note in comparison.notes:
        out.print(f"note: {escape(note)}", highlight=False, style="yellow")
    rows = [row for row in comparison.rows if every or _is_shown(row)]
    for title, group in _groups(rows):
        out.print()
        out.print(_rows(title, group))
    out.print(escape(row_counts(comparison)), highlight=False)
    for title, splits in _groups(comparison.splits):
        out.print()
        out.print(_causes(title, splits))
    if comparison.rescored:
        out.print()
        out.print(_rescored(comparison))
    for line in (*_labels(comparison.labels, details), *_corpus(comparison), *_latency(comparison)):
        out.print(escape(line), highlight=False)
    if details:
        for line in _flips(comparison.rows):
            out.print(escape(line), highlight=False)
    for gate in comparison.gates:
        out.print(f"{escape(gate.rule)}: [bold]{gate.outcome}[/]  {escape(gate.detail)}", highlight=False)
    if comparison.gates:
        out.print(f"outcome: [bold]{OUTCOMES[comparison.outcome]}[/]")
    out.print()


def _name(name: str, commit: str) -> str:
    return escape(name if name == commit else f"{name} ({commit[:7]})")


def _is_shown(row: Row) -> bool:
    return (is_headline(row) or row.interval is not None) and (row.status != "same" or row.modality == "all")


def _groups(items: Sequence[T]) -> Iterator[tuple[str, list[T]]]:
    """Rows or splits by system and split."""
    groups: dict[str, list[T]] = defaultdict(list)
    for item in items:
        groups[f"{item.system}, {item.split}"].append(item)
    yield from groups.items()


def _rows(title: str, rows: Sequence[Row]) -> Table:
    made = table(
        "modality", "measure", "old", "of", "new", "of", "change", "", "95 % interval", "p", "won / lost / tied",
        left=("measure", ""), title=title,
    )  # fmt: skip
    for row in rows:
        old, new = record_texts(row)
        change = "" if row.change is None else signed(row.change)
        p = p_text(row).removeprefix("p = ").removeprefix("p ")
        cells = (row.modality, row.measure, *old, *new, change, verdict(row), interval_text(row), p, flips_text(row))
        made.add_row(*map(escape, cells))
    return made


def _causes(title: str, splits: Sequence[Split]) -> Table:
    """A column a cause that moved anything; parts sum to the change."""
    moved = [cause for cause in CAUSES if any(part.change for split in splits for part in _parts(split, cause))]
    made = table("modality", "measure", "change", *moved, "shared queries", left=("measure",), title=f"{title}: why")
    for split in splits:
        cells = [
            f"{signed(part.change)} ({part.n:,})" if part.change or part.n else ""
            for cause in moved
            for part in _parts(split, cause)
        ]
        made.add_row(escape(split.modality), escape(split.measure), signed(split.change), *cells, f"{split.shared:,}")
    return made


def _parts(split: Split, cause: str) -> list[Part]:
    return [part for part in split.parts if part.cause == cause]


def _rescored(comparison: Comparison) -> Table:
    made = table(
        "system", "modality", "split", "measure", "old run, old labels", "old run, new labels",
        "new run, old labels", "new run, new labels", "shared queries",
        left=("modality", "split", "measure"), title="either frozen run under either side's labels",
    )  # fmt: skip
    for one in comparison.rescored:
        scores = (
            one.old_run_old_labels,
            one.old_run_new_labels,
            one.new_run_old_labels,
            one.new_run_new_labels,
        )
        names = map(escape, (one.system, one.modality, one.split, one.measure))
        made.add_row(*names, *(f"{score:.4f}" for score in scores), f"{one.shared:,}")
    return made


def _labels(changes: Sequence[LabelChange], details: bool) -> Iterator[str]:
    by_kind: dict[str, list[LabelChange]] = defaultdict(list)
    for change in changes:
        by_kind[change.kind].append(change)
    for kind, found in by_kind.items():
        yield f"labels, {kind}: {len(found):,}"
        for change in found if details else found[:_EXAMPLES]:
            yield f"  {_label(change)}"
        if not details and len(found) > _EXAMPLES:
            yield f"  and {len(found) - _EXAMPLES:,} more: --details lists them"


def _label(change: LabelChange) -> str:
    query = change.query_id if change.before_id == change.query_id else f"{change.before_id} -> {change.query_id}"
    fields = [f"{name} {_short(old)} -> {_short(new)}" for name, (old, new) in change.fields.items()]
    return "; ".join(filter(None, (query, *fields, change.why)))


def _short(value: object) -> str:
    text = value if isinstance(value, str) else encode(value).decode()
    return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS]}..."


def _corpus(comparison: Comparison) -> Iterator[str]:
    if any(comparison.corpus.get(name) for name in ("added", "removed", "changed")):
        yield "corpus: " + ", ".join(f"{number:,} {name}" for name, number in comparison.corpus.items())


def _latency(comparison: Comparison) -> Iterator[str]:
    """The median and 95th percentile over all, where measured; for information, never gated."""
    for system, sides in comparison.latency.items():
        for side, measured in sides.items():
            numbers = ", ".join(f"{name} {value}" for name, value in measured.get("all", {}).items())
            yield f"latency of {system}, {side}: {numbers}"


def _flips(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        for word, ids in (("won", row.flips.won), ("lost", row.flips.lost)) if row.flips else ():
            if ids:
                yield f"{row.system}, {row.modality}, {row.split}, {row.measure}: {word} {' '.join(ids)}"
