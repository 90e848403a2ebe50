"""The plots of a comparison, as SVG that needs no script. Each has a title and a description for who cannot see it.

All are 320 units wide, the room on a phone, so that their text is legible there. The page's style sheet colours them
by class. No colour stands alone; words or marks say the same.
"""

from collections import Counter
from collections.abc import Sequence

from bench.diff.markup import Markup, join, tag
from bench.diff.model import Flip, Row, Split
from bench.diff.words import interval_text, record_texts, signed, verdict

WIDTH = 320
_LINE = 34
_LEFT, _RIGHT = 132, 14
_TOP, _BOTTOM = 8, 26
_LABEL_CHARACTERS, _SMALL_CHARACTERS = 17, 18
# Least reach of an axis, so that a change of 0 has a place.
_LEAST = 1e-9


def change_chart(rows: Sequence[Row], name: str) -> Markup:
    """A line a modality: a dot at the change, whiskers over its 95 % interval, and 0 as an upright line."""
    reach = max([_LEAST, *(abs(bound) for row in rows for bound in _bounds(row))])
    axis = _Axis(reach)
    lines = []
    for index, row in enumerate(rows):
        y = _TOP + _LINE * (index + 0.5)
        low, high = min(_bounds(row)), max(_bounds(row))
        change = row.change or 0.0
        old, new = (" of ".join(side) for side in record_texts(row))
        tested = interval_text(row) or "not known"
        said = f"{row.modality}: {old} to {new}, {signed(change)} {verdict(row)}, 95 % interval {tested}"
        lines.append(
            tag(
                "g",
                tag("title", said),
                _label(row.modality, signed(change), _both(row), y),
                tag("path", d=f"M{axis.x(low):.1f} {y}H{axis.x(high):.1f}", class_="whisker") if row.interval else None,
                _dot(axis.x(change), y, row.better),
                class_=_side(row.better),
            )
        )
    said = "; ".join(f"{row.modality} {signed(row.change or 0.0)}" for row in rows)
    return _svg(len(rows), f"Change of {name} by modality", said, axis, lines)


def cause_chart(splits: Sequence[Split], causes: Sequence[str], name: str) -> Markup:
    """A stacked bar a modality: parts that rise to the right of 0, parts that fall to the left, a mark at their sum."""
    axis = _Axis(max([_LEAST, *(sum(abs(part.change) for part in split.parts) for split in splits)]))
    lines = []
    for index, split in enumerate(splits):
        y = _TOP + _LINE * (index + 0.5)
        ends = {True: 0.0, False: 0.0}
        bars = []
        for part in split.parts:
            if not part.change:
                continue
            start = ends[part.change > 0]
            ends[part.change > 0] = end = start + part.change
            bars.append(_segment(axis.x(min(start, end)), axis.x(max(start, end)), y, part.cause, causes, part.change))
        at = axis.x(split.change)
        mark = tag("path", d=f"M{at:.1f} {y - 9}l-4 -6h8zM{at:.1f} {y + 9}l-4 6h8z", class_="sum")
        lines.append(
            tag(
                "g",
                tag("title", split.sentence),
                _label(split.modality, signed(split.change), f"n={split.shared:,}", y),
                bars,
                mark,
            )
        )
    said = "; ".join(
        f"{split.modality} {signed(split.change, 4)} = "
        + (", ".join(f"{part.cause} {signed(part.change, 4)}" for part in split.parts if part.change) or "0")
        for split in splits
    )
    return _svg(len(splits), f"Change of {name} by cause", said, axis, lines)


def _segment(left: float, right: float, y: float, cause: str, causes: Sequence[str], change: float) -> Markup:
    number = causes.index(cause) + 1
    width = right - left
    return tag(
        "g",
        tag("title", f"{cause} {signed(change, 4)}"),
        tag("rect", x=left, y=y - 8, width=max(width, 0.5), height=16, class_=f"cause c{number}"),
        tag("text", number, x=(left + right) / 2, y=y + 4, class_=f"in c{number}") if width > 10 else None,
    )


def scatter_chart(flips: Sequence[Flip], name: str) -> Markup:
    """Old against new score, a circle a pair of values with the number of its queries; on the diagonal none changed."""
    side, left, top = 250.0, 50.0, 10.0
    reach = max([1.0, *(value for flip in flips for value in (flip.old, flip.new))])
    points = Counter((flip.old, flip.new) for flip in flips)

    def place(old: float, new: float) -> tuple[float, float]:
        return left + side * old / reach, top + side * (1 - new / reach)

    circles = []
    for (old, new), number in sorted(points.items(), key=lambda point: -point[1]):
        x, y = place(old, new)
        radius = min(20.0, 5 + 2 * number**0.5)
        circles.append(
            tag(
                "g",
                tag("title", f"{number:,} queries: {old:.3f} to {new:.3f}"),
                tag("circle", cx=x, cy=y, r=radius, class_="rose" if new > old else "fell"),
                tag("text", number, x=x, y=y + 4, class_="in") if number > 1 else None,
            )
        )
    ticks = [
        join(
            [
                tag("text", f"{value:.1f}", x=place(value, 0)[0], y=top + side + 30, class_="middle"),
                tag("text", f"{value:.1f}", x=left - 24, y=place(0, value)[1] + 4, class_="end"),
            ]
        )
        for value in (0.0, reach / 2, reach)
    ]
    (x0, y0), (x1, y1) = place(0, 0), place(reach, reach)
    rose = sum(flip.new > flip.old for flip in flips)
    said = f"{rose:,} queries rose, above the diagonal; {len(flips) - rose:,} fell, below it."
    return tag(
        "svg",
        tag("title", f"{name} of each changed query, old against new"),
        tag("desc", said),
        tag("rect", x=left, y=top, width=side, height=side, class_="frame"),
        tag("path", d=f"M{x0} {y0}L{x1} {y1}", class_="zero"),
        tag("text", "rose", x=left + 34, y=top + 40),
        tag("text", "fell", x=left + side - 34, y=top + side - 32, class_="end"),
        circles,
        ticks,
        tag("text", "new ↑", x=left - 8, y=top + side / 4, class_="end"),
        tag("text", "old →", x=left + side / 2, y=top + side + 50, class_="middle"),
        viewBox=f"0 0 {WIDTH} {top + side + 58:g}",
        role="img",
    )


class _Axis:
    """From -reach to +reach, and where values are on it."""

    def __init__(self, reach: float) -> None:
        self.reach = reach

    def x(self, value: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (1 + value / self.reach) / 2


def _svg(lines: int, title: str, description: str, axis: _Axis, content: Sequence[Markup]) -> Markup:
    bottom = _TOP + _LINE * lines
    ends = [(-axis.reach, "start"), (0.0, "middle"), (axis.reach, "end")]
    return tag(
        "svg",
        tag("title", title),
        tag("desc", description),
        tag("path", d=f"M{axis.x(0):.1f} {_TOP}V{bottom}", class_="zero"),
        content,
        [tag("text", signed(value), x=axis.x(value), y=bottom + 16, class_=anchor) for value, anchor in ends],
        viewBox=f"0 0 {WIDTH} {bottom + _BOTTOM}",
        role="img",
    )


def _label(text: str, change: str, n: str, y: float) -> Markup:
    """What a line is of; the change goes where there is no room for it beside n."""
    shown = text if len(text) <= _LABEL_CHARACTERS else text[: _LABEL_CHARACTERS - 1] + "…"
    below = f"{change}, {n}"
    return join(
        [
            tag("text", shown, x=_LEFT - 8, y=y - 2, class_="end"),
            tag("text", below if len(below) <= _SMALL_CHARACTERS else n, x=_LEFT - 8, y=y + 11, class_="end small"),
        ]
    )


def _both(row: Row) -> str:
    """The n of both sides, once where they agree."""
    numbers = dict.fromkeys(f"{side['n']:,}" for side in (row.old, row.new) if side)
    return f"n={'→'.join(numbers)}"


def _bounds(row: Row) -> tuple[float, ...]:
    return (row.change or 0.0, *((row.interval.low, row.interval.high) if row.interval else ()))


def _side(better: bool | None) -> str:
    return {True: "better", False: "worse", None: "even"}[better]


def _dot(x: float, y: float, better: bool | None) -> Markup:
    """A triangle that points up for better, down for worse; a circle for neither."""
    if better is None:
        return tag("circle", cx=x, cy=y, r=4, class_="mark")
    return tag(
        "path", d=f"M{x - 6:.1f} {y + 4}h12l-6 -10z" if better else f"M{x - 6:.1f} {y - 4}h12l-6 10z", class_="mark"
    )
