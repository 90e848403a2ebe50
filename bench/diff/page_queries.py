"""The sections of the page that list queries: whose labels changed, and whose score did."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from bench.diff.charts import scatter_chart
from bench.diff.markup import Child, Markup, join, tag
from bench.diff.model import Comparison, Flip, LabelChange
from bench.diff.tables import table
from bench.diff.words import corpus_text, grouped, value_text, values
from bench.score.acceptance import LESS_IS_BETTER


def label_section(comparison: Comparison) -> Iterator[Markup]:
    """Changed labels by kind, folded, and what the corpus gained and lost."""
    corpus = corpus_text(comparison)
    if comparison.labels or corpus:
        yield tag("h3", "Labels and corpus")
    for kind, found in grouped(comparison.labels, lambda label: label.kind):
        content = table(f"Queries {kind}", ("query", "modality", "what changed"), map(_label, found))
        yield tag("details", tag("summary", f"{len(found):,} {kind}"), content)
    if corpus:
        yield tag("p", tag("strong", "Corpus: "), corpus)


def _label(label: LabelChange) -> tuple[Child, ...]:
    old_id, new_id = tag("code", label.before_id), tag("code", label.query_id)
    fields = [
        tag("div", f"{name}: ", tag("del", value_text(old)), " → ", tag("ins", value_text(new)))
        for name, (old, new) in label.fields.items()
    ]
    return (new_id if old_id == new_id else [old_id, " → ", new_id], label.modality, [*fields, tag("div", label.why)])


def flip_section(comparison: Comparison) -> Iterator[Markup]:
    """A scatter a system, and the list of queries with its filter, which the script switches on."""
    flips = comparison.flips
    if not flips:
        return
    yield tag("h3", "Queries whose score changed")
    by_system = grouped(flips, lambda flip: flip.system)
    yield tag("div", [_scatter(comparison, found) for _, found in by_system], class_="figures")
    fields = [
        _choice("system", [flip.system for flip in flips]),
        _choice("modality", [flip.modality for flip in flips]),
        _choice("result", ["won", "lost"]),
    ]
    yield tag(
        "div",
        tag("form", fields, class_="filter", hidden=True, aria_label="Filter the queries"),
        tag("p", f"{len(flips):,} of {len(flips):,} shown", role="status"),
        tag("ul", map(_flip, flips), class_="flips"),
        class_="filtered",
    )


def _scatter(comparison: Comparison, flips: Sequence[Flip]) -> Markup:
    system, measure = flips[0].system, flips[0].measure
    tied = [
        row.flips.tied
        for row in comparison.rows
        if (row.system, row.measure, row.modality) == (system, measure, "all") and row.flips
    ]
    caption = (
        f"{system}: {measure} of {len(flips):,} listed queries, old against new; a number counts those at one place."
    )
    same = f" {sum(tied):,} queries did not change." if tied else ""
    points = sorted(Counter((flip.old, flip.new) for flip in flips).items())
    rows = [(*values(old, new), number) for (old, new), number in points]
    as_table = table(f"{system}, {measure}", ("old", "new", "queries"), rows)
    return tag(
        "figure",
        tag("figcaption", caption, same),
        scatter_chart(flips, measure),
        tag("details", tag("summary", "as a table"), as_table),
    )


def _choice(name: str, options: Sequence[str]) -> Markup:
    choices = [tag("option", "all", value=""), *(tag("option", text, value=text) for text in dict.fromkeys(options))]
    return tag("label", name, " ", tag("select", choices, name=name))


def _flip(flip: Flip) -> Markup:
    won = (flip.new > flip.old) != flip.measure.startswith(LESS_IS_BETTER)
    result = "won" if won else "lost"
    summary = tag(
        "summary",
        tag("span", "▲ won" if won else "▼ lost", class_=f"tag {result}"),
        f" {' → '.join(values(flip.old, flip.new))} ",
        flip.question,
    )
    content = [
        tag("p", f"{flip.system}, {flip.modality}, {flip.measure}: ", tag("code", flip.query_id)),
        _regions("gold", flip.gold, ()),
        _regions("old hits", flip.old_hits, flip.gold),
        _regions("new hits", flip.new_hits, flip.gold),
    ]
    return tag(
        "li", tag("details", summary, content), data_system=flip.system, data_modality=flip.modality, data_result=result
    )


def _regions(name: str, regions: Sequence[str], gold: Collection[str]) -> Markup:
    """A list in order of rank. A hit on exactly a gold region is marked; others may find one all the same."""
    items = [tag("li", tag("code", region), tag("strong", " gold") if region in gold else None) for region in regions]
    return join([tag("h4", name), tag("ol", items) if items else tag("p", "none")])
