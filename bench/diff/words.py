"""How numbers and states of a comparison are written for people: never a change as 0, never a value without its n."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from bench.diff.model import Comparison, Rescored, Row, Split
from bench.jsonl import encode

T = TypeVar("T")

ALL = "all"

# The rows that stand on top. All others are counted, and shown in full further down.
HEADLINES = (
    "recall@10",
    "nDCG@10",
    "MRR",
    "MAP@10",
    "P@10",
    "false_recall",
    "temporal_correctness_twins",
    "holder_correctness_twins",
)
HOW_TO_READ = (
    "Values stand over their numerator, denominator and n. Interval (95 %) and p are of a paired test over the queries "
    "that both sides score; p is not corrected for the number of rows. Won, lost and tied count those queries."
)
OUTCOMES = ("fine", "regressed", "cannot compare")
MINUS = "\N{MINUS SIGN}"
_FULL_COMMIT = re.compile("[0-9a-f]{40}")
_SHORT_COMMIT = 7
_DIGITS, _DIGITS_RESCORED = 3, 6
_MOST_DIGITS = 17
# Below this a change is written with an exponent.
_TINY = 1e-6


def worst(comparisons: Iterable[Comparison]) -> int:
    """The outcome of all together: 1 regressed where any did, else 2 where any cannot be compared, else 0."""
    outcomes = {comparison.outcome for comparison in comparisons}
    return 1 if 1 in outcomes else max(outcomes, default=0)


def is_headline(row: Row) -> bool:
    """Whether the row is of a measure that stands on top."""
    return row.measure in HEADLINES


def state_name(name: str, commit: str) -> str:
    """`main (0123456)`: how the user called the state, and its commit where that says more."""
    if commit == name:
        return name[:_SHORT_COMMIT] if _FULL_COMMIT.fullmatch(name) else name
    return f"{name} ({commit[:_SHORT_COMMIT]})"


def grouped(items: Iterable[T], key: Callable[[T], str]) -> Iterator[tuple[str, list[T]]]:
    """Items by key, in the order in which keys first occur."""
    groups: dict[str, list[T]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    yield from groups.items()


def system_and_split(item: Row | Split) -> str:
    """`bm25, dev`."""
    return f"{item.system}, {item.split}"


def values(old: float, new: float) -> tuple[str, str]:
    """Both values with three decimals, or as many more as it takes to tell them apart."""
    for digits in range(_DIGITS, _MOST_DIGITS):
        pair = f"{old:.{digits}f}", f"{new:.{digits}f}"
        if pair[0] != pair[1] or old == new:
            return pair
    return repr(old), repr(new)


def signed(change: float, digits: int = _DIGITS) -> str:
    """A change with its sign: `digits` decimals, more where it would print as 0, and 0 only where it is none."""
    if change == 0:
        return "0"
    size = abs(change)
    if size < _TINY:
        text = f"{size:.1e}"
    else:
        while size < 0.5 * 10**-digits:
            digits += 1
        text = f"{size:.{digits}f}"
    return ("+" if change > 0 else MINUS) + text


def counts(record: dict[str, Any]) -> str:
    """What a record's value is of: `115.5/165, n=165`; the numerator to three decimals, `of` has all of them."""
    numerator = f"{record['numerator']:,.{_DIGITS}f}".rstrip("0").rstrip(".")
    return f"{numerator}/{record['denominator']:,}, n={record['n']:,}"


def record_texts(row: Row) -> tuple[tuple[str, str], tuple[str, str]]:
    """(value, what it is of) of the old and of the new side; `none` where a side has no such row."""
    if row.old and row.new:
        old, new = values(row.old["value"], row.new["value"])
        return (old, counts(row.old)), (new, counts(row.new))
    return _single(row.old), _single(row.new)


def _single(record: dict[str, Any] | None) -> tuple[str, str]:
    return (f"{record['value']:.{_DIGITS}f}", counts(record)) if record else ("none", "")


def verdict(row: Row) -> str:
    """`better`, `worse`, or what the row is instead; with the reason where it cannot be compared."""
    if row.status == "changed":
        return {True: "better", False: "worse", None: ""}[row.better]
    return " ".join(filter(None, (row.status.replace("_", " "), f"({row.why})" if row.why else "")))


def interval_text(row: Row) -> str:
    """`-0.010 to +0.030`, or empty where no per-query scores allow one."""
    return f"{signed(row.interval.low)} to {signed(row.interval.high)}" if row.interval else ""


def p_text(row: Row) -> str:
    """The p-value with three decimals (`p = 0.031`); below 0.001 only that."""
    if not row.interval:
        return ""
    return "p < 0.001" if row.interval.p < 0.001 else f"p = {row.interval.p:.3f}"


def flips_text(row: Row) -> str:
    """`won / lost / tied` as counts of shared queries, or empty where no per-query scores are at hand."""
    return f"{len(row.flips.won)} / {len(row.flips.lost)} / {row.flips.tied}" if row.flips else ""


def top_rows(comparison: Comparison) -> list[Row]:
    """The rows that stand first, of headline measures and of those that were tested on request.

    Those over all modalities are always among them; of the others, those that changed.
    """
    shown = [row for row in comparison.rows if is_headline(row) or row.interval]
    return [row for row in shown if row.status != "same" or row.modality == ALL]


RESCORED_COLUMNS = (
    "system", "modality", "split", "measure", "shared queries", "old run, old labels", "old run, new labels",
    "new run, old labels", "new run, new labels",
)  # fmt: skip


def rescored_cells(item: Rescored) -> list[str]:
    """The cells under RESCORED_COLUMNS."""
    scores = (item.old_run_old_labels, item.old_run_new_labels, item.new_run_old_labels, item.new_run_new_labels)
    texts = [f"{score:.{_DIGITS_RESCORED}f}" for score in scores]
    return [item.system, item.modality, item.split, item.measure, f"{item.shared:,}", *texts]


def latency_texts(comparison: Comparison) -> list[str]:
    """A line a system that was timed on either side: the percentiles over all its queries, in milliseconds, with n."""
    return [f"{system}: {_latency(sides)}" for system, sides in comparison.latency.items()]


def _latency(sides: dict[str, Any]) -> str:
    timed = [(name, sides.get(name, {}).get("all", {})) for name in ("old", "new")]
    return ", ".join(
        f"{name} p50 {found.get('p50_ms', 'absent')} ms, p95 {found.get('p95_ms', 'absent')} ms, n={found['n']}"
        if "n" in found
        else f"{name} not timed"
        for name, found in timed
    )


def value_text(value: Any) -> str:
    """A field of an annotation: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else encode(value).decode()


def corpus_text(comparison: Comparison) -> str:
    """The entries of both sides, and how many changed in which way; empty where none did."""
    numbers = dict(comparison.corpus)
    old, new = numbers.pop("old", None), numbers.pop("new", None)
    changes = [f"{number:,} {what}" for what, number in numbers.items() if number]
    if old == new and not changes:
        return ""
    sides = [f"{side:,} entries {when}" for side, when in ((old, "before"), (new, "now")) if side is not None]
    return ", ".join([*sides, *changes])


def row_counts(comparison: Comparison) -> str:
    """`4 of 312 rows changed, 2 new, 306 unchanged`: each status that occurs, over all measures."""
    order = {"changed": "changed", "new": "new", "removed": "removed", "not_comparable": "not comparable"}
    total = len(comparison.rows)
    if not total:
        return "There are no rows to compare."
    numbers = {name: sum(row.status == name for row in comparison.rows) for name in (*order, "same")}
    said = [f"{numbers[name]:,} {word}" for name, word in (order | {"same": "unchanged"}).items() if numbers[name]]
    return f"Of {total:,} rows, over all measures: {', '.join(said)}."
