"""Gold from votes: what more than half of an item's annotators say. A tie goes to adjudication, never to chance.

A line of gold is `{item, label | labels, n_raters, n_agreeing, agreement}`: how many voted, how many of them for the
label, and the share of pairs of votes that agree. Where votes are sets of labels, each category is decided on its own,
`n_agreeing` are the votes for exactly the decided set, and one undecided category sends the item to adjudication.

A line of the adjudication list is `{item, reason, n_raters, votes: {label: votes}}`. Its reasons, in this order:
too_few_votes  fewer than the bar asks for (skips are no votes)
tie            no label has more votes than every other (of sets: half of the votes name a category)
no_majority    one label has the most votes, but not more than half, or not more than `min_majority`
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.agreement.coefficients import item_agreement
from bench.agreement.gate import Bar
from bench.agreement.measure import majority
from bench.agreement.votes import Labels, Table, Votes, tabulate

TOO_FEW, TIE, NO_MAJORITY = "too_few_votes", "tie", "no_majority"


class Decided(NamedTuple):
    """Lines of gold, and of the adjudication list; every item is in one of them, both sorted by item."""

    gold: Sequence[dict[str, Any]]
    adjudicate: Sequence[dict[str, Any]]


def decide(votes: Votes, needed: Bar) -> Decided:
    """Gold and what needs a person; see above."""
    table = tabulate(votes)
    gold, adjudicate = [], []
    for item, counts in zip(table.items, table.counts, strict=True):
        given = {labels: int(number) for labels, number in zip(table.columns, counts, strict=True) if number}
        raters = sum(given.values())
        decided = _labels(given, votes, needed) if raters >= needed.annotators else TOO_FEW
        if isinstance(decided, str):
            named = {_shown(labels, votes.multi): number for labels, number in given.items()}
            adjudicate.append({"item": item, "reason": decided, "n_raters": raters, "votes": named})
        else:
            label = {"labels": list(decided)} if votes.multi else {"label": decided[0]}
            agreement = _agreement(counts)
            gold.append(
                {"item": item, **label, "n_raters": raters, "n_agreeing": given.get(decided, 0), "agreement": agreement}
            )
    return Decided(gold, adjudicate)


def item_lines(table: Table) -> list[dict[str, Any]]:
    """A line an item: how many voted, and the share of pairs of votes that agree; absent under two votes."""
    return [
        {"item": item, "n_raters": int(counts.sum())} | ({"agreement": _agreement(counts)} if counts.sum() > 1 else {})
        for item, counts in zip(table.items, table.counts, strict=True)
    ]


def _labels(given: dict[Labels, int], votes: Votes, needed: Bar) -> Labels | str:
    """The labels of an item, or the reason why a person has to choose."""
    return _chosen_set(given, votes, needed) if votes.multi else _chosen(given, needed)


def _chosen(given: dict[Labels, int], needed: Bar) -> Labels | str:
    label = majority(given, needed.majority)
    if label is not None:
        return label
    most = sorted(given.values())[-2:]
    return TIE if most[0] == most[-1] and len(most) > 1 else NO_MAJORITY


def _chosen_set(given: dict[Labels, int], votes: Votes, needed: Bar) -> Labels | str:
    raters = sum(given.values())
    named = {
        category: sum(number for labels, number in given.items() if category in labels) for category in votes.categories
    }
    if any(2 * number == raters for number in named.values()):
        return TIE
    if any(max(number, raters - number) <= needed.majority * raters for number in named.values()):
        return NO_MAJORITY
    return tuple(category for category in votes.categories if 2 * named[category] > raters)


def _agreement(counts: NDArray[np.int64]) -> float:
    return round(float(item_agreement(counts[None, :])[0]), 9)


def _shown(labels: Labels, multi: bool) -> str:
    return "[" + "; ".join(labels) + "]" if multi else labels[0]
