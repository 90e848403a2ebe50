"""Agreement beyond chance, over a table of counts: a row an item, a column a category, a cell how many voted so.

Items with equal counts cannot be told apart by any of these numbers, so a table is its distinct rows and how many
items have each (`weights`). A resample of items is then another vector of weights, and each coefficient takes a matrix
of them, one resample a row. It is NaN where it is not defined, which stays within `bench.agreement`.

raw agreement         mean over items of the share of pairs of votes that agree (Fleiss 1971, P_i)
Fleiss' kappa         (observed - chance) / (1 - chance), chance from the pooled shares of the categories. It asks for
                      one number of votes on all items, two at least (Fleiss 1971, Psychological Bulletin 76)
Krippendorff's alpha  1 - observed / expected disagreement, over items with two votes or more, whatever their number;
                      nominal, or ordinal by the ranks of the categories (Krippendorff 2019, Content Analysis, ch. 12)
Cohen's kappa         the same as Fleiss' of two raters, but each with shares of their own (Cohen 1960)

None of them is defined where all votes are in one category: chance alone then agrees always. Two popular answers, 1
and 0, are both made up.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1_999
CONFIDENCE = 0.95
SEED = 1
# Of the resamples, how many may leave a coefficient undefined before its interval is left out.
MAX_UNDEFINED = 0.05
# Cells held at once by a batch of resamples: 32 MB.
_BATCH = 4_000_000

Counts = NDArray[np.int64]
Values = NDArray[np.float64]
Coefficient = Callable[[Counts, Counts], Values]


def item_agreement(counts: Counts) -> Values:
    """The share of pairs of votes that agree, an item each; every item has two votes or more."""
    votes = counts.sum(axis=1)
    agreement: Values = (counts * (counts - 1)).sum(axis=1) / (votes * (votes - 1))
    return agreement


def fleiss_kappa(rows: Counts, weights: Counts) -> Values:
    """Fleiss' kappa of each row of `weights`; all `rows` have the same number of votes, two or more."""
    agreeing = weights @ (rows * (rows - 1)).sum(axis=1)
    totals = weights @ rows
    votes = totals.sum(axis=1)
    observed = agreeing / (votes * (rows[0].sum() - 1))
    chance = ((totals / votes[:, None]) ** 2).sum(axis=1)
    return _where_defined(observed - chance, 1 - chance, totals)


def nominal_alpha(rows: Counts, weights: Counts) -> Values:
    """Krippendorff's alpha of each row of `weights`; all `rows` have two votes or more."""
    agreeing = weights @ ((rows * (rows - 1)).sum(axis=1) / (rows.sum(axis=1) - 1))
    totals = weights @ rows
    votes = totals.sum(axis=1)
    expected = (votes**2 - (totals**2).sum(axis=1)) / (votes - 1)
    return _where_defined(expected - (votes - agreeing), expected, totals)


def ordinal_alpha(rows: Counts, weights: Counts) -> Values:
    """The same of categories in their order: two votes differ by the square of how many votes lie between them."""
    together = rows[:, :, None] * rows[:, None, :] / (rows.sum(axis=1) - 1)[:, None, None]
    coincidences = np.tensordot(weights, together, axes=1)
    totals = weights @ rows
    ranks = totals.cumsum(axis=1) - totals / 2
    distance = (ranks[:, :, None] - ranks[:, None, :]) ** 2
    disagreement = (coincidences * distance).sum(axis=(1, 2))
    pairs = totals[:, :, None] * totals[:, None, :]
    expected = (pairs * distance).sum(axis=(1, 2)) / (totals.sum(axis=1) - 1)
    return _where_defined(expected - disagreement, expected, totals)


def cohen_kappa(pairs: Sequence[tuple[object, object]]) -> float | None:
    """Cohen's kappa of two raters' labels, item by item; None where all labels of both are one category, or none."""
    if len({label for pair in pairs for label in pair}) < 2:
        return None
    ours, theirs = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(number * theirs[label] for label, number in ours.items()) / len(pairs) ** 2
    observed = sum(one == other for one, other in pairs) / len(pairs)
    return (observed - chance) / (1 - chance)


def value(coefficient: Coefficient, counts: Counts) -> float | None:
    """The coefficient over items as they are; None where it is not defined."""
    rows, weights = distinct(counts)
    result = float(coefficient(rows, weights[None, :])[0])
    return None if np.isnan(result) else result


def interval(coefficient: Coefficient, counts: Counts) -> tuple[float, float] | None:
    """Percentile bootstrap over items, 95 %, seeded; the order of items never matters.

    None under two items, or where more than 5 % of the resamples leave the coefficient undefined (a rare category was
    not drawn): what is left would be the interval of another number. Up to 5 %, it is over those that define it.
    """
    if len(counts) < 2:
        return None
    rows, weights = distinct(counts)
    rng = np.random.default_rng(SEED)
    batch = max(1, _BATCH // max(len(rows), rows.shape[1] ** 2))
    sizes = [min(batch, RESAMPLES - start) for start in range(0, RESAMPLES, batch)]
    drawn = [coefficient(rows, rng.multinomial(len(counts), weights / len(counts), size)) for size in sizes]
    values = np.concatenate(drawn)
    defined = values[~np.isnan(values)]
    if len(defined) < (1 - MAX_UNDEFINED) * RESAMPLES:
        return None
    low, high = np.quantile(defined, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


def distinct(counts: Counts) -> tuple[Counts, Counts]:
    """The distinct rows, sorted, and how many items have each."""
    rows, weights = np.unique(counts, axis=0, return_counts=True)
    return rows, weights


def _where_defined(numerator: Values, denominator: Values, totals: Counts) -> Values:
    """The quotient; NaN where all votes are in one category, which whole numbers tell exactly."""
    several = totals.max(axis=1) < totals.sum(axis=1)
    result = np.full(len(totals), np.nan)
    np.divide(numerator, denominator, out=result, where=several)
    return result
