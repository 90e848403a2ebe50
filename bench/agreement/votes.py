"""What a vote is, and the table of how many votes each item has in each category.

Labels are text: a JSON number or boolean is the text that JSON writes for it, and 4.0 is `4`. Votes come in long form,
never as a table of counts, so that nobody can hand in rows for columns, or codes for counts.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SKIP = "skip"

Labels = tuple[str, ...]


class Vote(NamedTuple):
    """What an annotator says of an item. Of single-label votes `labels` has one entry, else those that apply."""

    item: str
    annotator: str
    labels: Labels


class Votes(NamedTuple):
    """The votes on a set of items, under declared categories.

    categories  in their order where they are `ordinal`, lowest first
    multi       an item may have several labels at once, or none
    skipped     the item of every skip: seen by an annotator who gave no vote
    named       an annotator is the same person on all items; False where upstream tells votes apart by place alone
    """

    votes: Sequence[Vote]
    categories: Sequence[str]
    ordinal: bool = False
    multi: bool = False
    skipped: Sequence[str] = ()
    named: bool = True


class Table(NamedTuple):
    """`counts[i, c]`: how many annotators gave item i the labels of column c. Items are sorted."""

    items: Sequence[str]
    columns: Sequence[Labels]
    counts: NDArray[np.int64]


def label_text(value: str | float | bool) -> str:
    """The text of a label; see above."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def tabulate(votes: Votes) -> Table:
    """The counts by whole label: a column a category, or where votes are sets of labels, a column a set that occurs."""
    if votes.multi:
        columns = sorted({vote.labels for vote in votes.votes})
    else:
        columns = [(category,) for category in votes.categories]
    return _count(votes, columns, [(vote.item, vote.labels) for vote in votes.votes])


def tabulate_category(votes: Votes, category: str) -> Table:
    """The counts of one category on its own: how many annotators did not name it, and how many did."""
    columns: list[Labels] = [(), (category,)]
    return _count(votes, columns, [(vote.item, columns[category in vote.labels]) for vote in votes.votes])


def _count(votes: Votes, columns: Sequence[Labels], given: Sequence[tuple[str, Labels]]) -> Table:
    items = sorted({item for item, _ in given}.union(votes.skipped))
    rows = {item: row for row, item in enumerate(items)}
    places = {labels: column for column, labels in enumerate(columns)}
    counts = np.zeros((len(items), len(columns)), np.int64)
    for (item, labels), number in Counter(given).items():
        counts[rows[item], places[labels]] = number
    return Table(items, columns, counts)
