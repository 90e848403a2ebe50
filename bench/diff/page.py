"""`bench diff --html`: one page that holds everything it shows, and may load nothing.

It reads without a script, which only adds the filter of the list of queries. Its policy forbids every connection, and
every style and script but the two that it holds.
"""

import base64
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib.resources import files
from typing import TypeVar

from bench.diff.charts import cause_chart, change_chart
from bench.diff.markup import Child, Markup, join, tag
from bench.diff.model import Comparison, Row, Split
from bench.diff.page_queries import flip_section, label_section
from bench.diff.tables import stacked, table
from bench.diff.words import (
    ALL,
    HOW_TO_READ,
    OUTCOMES,
    RESCORED_COLUMNS,
    flips_text,
    grouped,
    interval_text,
    is_headline,
    latency_texts,
    p_text,
    record_texts,
    rescored_cells,
    row_counts,
    signed,
    state_name,
    system_and_split,
    top_rows,
    verdict,
    worst,
)

_DIGITS_OF_CAUSES = 4
R = TypeVar("R", Row, Split)


def render(comparisons: Sequence[Comparison]) -> str:
    """The page of all suites compared."""
    style, script = (
        files("bench.diff").joinpath("assets", name).read_text("utf-8") for name in ("page.css", "page.js")
    )
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    outcome = worst(comparisons)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"What changed: {OUTCOMES[outcome]}"),
        tag("style", Markup(style)),
    )
    body = tag(
        "body",
        tag("a", "Skip to the results", href="#results", class_="skip"),
        tag("header", tag("h1", "What changed ", tag("span", OUTCOMES[outcome], class_=f"outcome o{outcome}"))),
        tag("main", join(map(_suite, range(len(comparisons)), comparisons)), id="results", tabindex="-1"),
        tag("footer", tag("p", HOW_TO_READ)),
        tag("script", Markup(script)),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _suite(number: int, comparison: Comparison) -> Markup:
    old = state_name(comparison.old_name, comparison.old)
    new = state_name(comparison.new_name, comparison.new)
    return tag(
        "section",
        tag(
            "h2",
            tag("code", comparison.suite),
            ": ",
            old,
            " → ",
            new,
            id=f"suite-{number}",
        ),
        tag("p", comparison.headline, class_="headline") if comparison.headline else None,
        [tag("p", tag("strong", "Note: "), note, class_="note") for note in comparison.notes],
        _gates(comparison),
        tag("p", row_counts(comparison)),
        _results(comparison),
        _causes(comparison.splits),
        _rescored(comparison),
        label_section(comparison),
        flip_section(comparison),
        _latency(comparison),
        _all_rows(comparison),
        aria_labelledby=f"suite-{number}",
    )


def _gates(comparison: Comparison) -> Iterator[Markup]:
    if comparison.gates:
        yield tag("h3", "Gates")
        rows = [(gate.outcome, tag("code", gate.rule), gate.detail) for gate in comparison.gates]
        yield table("Gates: rules that decide the outcome", ("outcome", "rule", "found"), rows)


def _results(comparison: Comparison) -> Iterator[Markup]:
    rows = top_rows(comparison)
    yield tag("h3", "Results")
    if all(row.status == "same" for row in rows):
        yield tag("p", "Nothing changed.")
    for name, found in grouped(rows, system_and_split):
        shown = {row.measure for row in found if row.status != "same"}
        whole = [row for row in comparison.rows if system_and_split(row) == name and row.measure in shown]
        yield tag("h4", name)
        if whole:
            yield tag("div", map(_change_figure, _by_measure(whole)), class_="figures")
        yield from _all_then_by_modality(f"Results of {name}", _COLUMNS, found, _result)


def _by_measure(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The comparable headline rows of each measure, over all and by modality."""
    comparable = [row for row in rows if is_headline(row) and row.change is not None]
    for measure in dict.fromkeys(row.measure for row in comparable):
        yield [row for row in comparable if row.measure == measure]


def _change_figure(rows: Sequence[Row]) -> Markup:
    caption = f"{rows[0].measure}: change by modality, with 95 % intervals. ▲ better, ▼ worse, ● no change."
    return tag("figure", tag("figcaption", caption), change_chart(rows, rows[0].measure))


_COLUMNS = ("modality", "measure", "old", "new", "change", "95 % interval", "p", "won / lost / tied")


def _result(row: Row) -> tuple[Child, ...]:
    old, new = (stacked(*side) for side in record_texts(row))
    change = "" if row.change is None else signed(row.change)
    return (
        row.modality, row.measure, old, new, stacked(change, verdict(row)),
        interval_text(row), p_text(row), flips_text(row),
    )  # fmt: skip


def _all_then_by_modality(
    caption: str, columns: Sequence[str], rows: Sequence[R], cells: Callable[[R], Sequence[Child]]
) -> Iterator[Markup]:
    """A table of the rows over all modalities, and one, folded, of those by modality."""
    over_all = [row for row in rows if row.modality == ALL]
    others = [row for row in rows if row.modality != ALL]
    if over_all:
        yield table(f"{caption}, all modalities", columns, map(cells, over_all))
    if others:
        content = table(f"{caption}, by modality", columns, map(cells, others))
        yield tag("details", tag("summary", f"By modality ({len(others):,})"), content)


def _causes(splits: Sequence[Split]) -> Iterator[Markup]:
    moved = [split for split in splits if any(part.change or part.n for part in split.parts)]
    if not moved:
        return
    yield tag("h3", "Why: the change by cause")
    yield tag("p", "The parts sum to the change; a pair of triangles marks the sum.")
    causes = list(dict.fromkeys(part.cause for split in moved for part in split.parts))
    legend = [
        tag("li", tag("span", number, class_=f"key c{number}"), " ", cause) for number, cause in enumerate(causes, 1)
    ]
    yield tag("ol", legend, class_="legend")
    for name, found in grouped(moved, system_and_split):
        yield tag("h4", name)
        by_measure = grouped(found, lambda split: split.measure)
        yield tag("div", [_cause_figure(measure, group, causes) for measure, group in by_measure], class_="figures")
        shown = [cause for cause in causes if any(_part(split, cause)[0] or _part(split, cause)[1] for split in found)]
        columns = ("modality", "measure", "change", *shown, "shared queries", "in words")
        caption = f"Change by cause of {name}"
        yield from _all_then_by_modality(caption, columns, found, partial(_cause, causes=shown))


def _cause_figure(measure: str, splits: Sequence[Split], causes: Sequence[str]) -> Markup:
    return tag("figure", tag("figcaption", f"{measure}: change by cause"), cause_chart(splits, causes, measure))


def _cause(split: Split, causes: Sequence[str]) -> tuple[Child, ...]:
    cells = [
        stacked(signed(change, _DIGITS_OF_CAUSES), what) for change, what in (_part(split, name) for name in causes)
    ]
    return (
        split.modality,
        split.measure,
        signed(split.change, _DIGITS_OF_CAUSES),
        *cells,
        f"{split.shared:,}",
        split.sentence,
    )


def _part(split: Split, cause: str) -> tuple[float, str]:
    """(change, what it is of) of one cause; (0, nothing) where the split has no such part."""
    found = [(part.change, f"{part.n:,} {part.what}" if part.n else "") for part in split.parts if part.cause == cause]
    return found[0] if found else (0.0, "")


def _rescored(comparison: Comparison) -> Iterator[Markup]:
    if comparison.rescored:
        yield tag("h3", "What either run scores under either side's labels")
        yield table("Rescored", RESCORED_COLUMNS, map(rescored_cells, comparison.rescored))


def _latency(comparison: Comparison) -> Iterator[Markup]:
    if comparison.latency:
        yield tag("h3", "Latency (reported, never gated)")
        yield tag("ul", [tag("li", line) for line in latency_texts(comparison)])


def _all_rows(comparison: Comparison) -> Markup:
    columns = ("system", "split", *_COLUMNS)
    content = table("All rows", columns, [(row.system, row.split, *_result(row)) for row in comparison.rows])
    return join([tag("h3", "All rows"), tag("details", tag("summary", f"All {len(comparison.rows):,} rows"), content)])
