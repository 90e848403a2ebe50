"""A table of the page: real rows and headers; where the screen is narrow, each row becomes a card."""

from collections.abc import Iterable, Sequence

from bench.diff.markup import Child, Markup, join, tag


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[Child]]) -> Markup:
    """The first column names its row. The roles stay where the narrow style turns the display off as a table."""
    head = tag("tr", [tag("th", name, role="columnheader", scope="col") for name in columns], role="row")
    body = [_row(columns, cells) for cells in rows]
    return tag(
        "div",
        tag(
            "table",
            tag("caption", caption),
            tag("thead", head, role="rowgroup"),
            tag("tbody", body, role="rowgroup"),
            role="table",
        ),
        class_="scroll",
        tabindex="0",
        role="region",
        aria_label=caption,
    )


def _row(columns: Sequence[str], cells: Sequence[Child]) -> Markup:
    first, *others = zip(columns, cells, strict=True)
    return tag(
        "tr",
        tag("th", first[1], role="rowheader", scope="row", data_label=first[0]),
        [tag("td", cell, role="cell", data_label=name) for name, cell in others],
        role="row",
    )


def stacked(above: str, below: str) -> Markup:
    """Two lines in one cell."""
    return join([tag("span", above, class_="above"), tag("span", below, class_="below") if below else None])
