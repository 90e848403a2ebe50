"""Sets of votes for the tests: short forms, and the numbers that are pinned for them."""

from collections.abc import Sequence

from bench.agreement.votes import Vote, Votes

LETTERS = "abcdefgh"

# Fleiss 1971, table 1: 10 patients (of 30), 14 raters, 5 diagnoses.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def of_counts(counts: Sequence[Sequence[int]], ordinal: bool = False) -> Votes:
    """Long form of a table of counts: categories a, b, ...; rater r gives the r-th of the row's sorted labels."""
    votes = []
    for item, row in enumerate(counts):
        labels = [LETTERS[column] for column, number in enumerate(row) for _ in range(number)]
        votes += [Vote(f"i{item:03}", f"r{rater:02}", (label,)) for rater, label in enumerate(labels)]
    width = max((len(row) for row in counts), default=3)
    return Votes(votes, tuple(LETTERS[:width]), ordinal)


def single(items: dict[str, str], categories: str = "abc") -> Votes:
    """{item: one letter a rater}; a dot is a rater without a vote."""
    votes = [
        Vote(item, f"r{rater}", (letter,))
        for item, letters in items.items()
        for rater, letter in enumerate(letters)
        if letter != "."
    ]
    return Votes(votes, tuple(categories))


def sets(items: dict[str, Sequence[str]], categories: str = "abc") -> Votes:
    """{item: one string of letters a rater}, an empty one where no category applies."""
    votes = [
        Vote(item, f"r{rater}", tuple(letters)) for item, given in items.items() for rater, letters in enumerate(given)
    ]
    return Votes(votes, tuple(categories), multi=True)
