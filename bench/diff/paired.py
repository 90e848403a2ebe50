"""Is a change more than chance? Paired tests over the queries that both states score.

`p`         two-sided sign-flip randomisation test of the mean difference (scipy.stats.permutation_test) over the
            queries whose score changed: exact where all sign patterns are no more than RESAMPLES, else RESAMPLES drawn
`low, high` percentile bootstrap of the mean difference a shared query, 95 % (scipy.stats.bootstrap), BOOTSTRAP drawn

Both are seeded, so two runs print the same. They speak of the shared queries: where queries entered or left, the
change of the headline is another number, and the split by cause says by how much.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bench.diff.model import Flips, Interval

RESAMPLES = 9_999
BOOTSTRAP = 1_999
CONFIDENCE = 0.95
SEED = 1
# Floats held at once by a batch of resamples: 32 MB.
_BATCH = 4_000_000


def interval(differences: NDArray[np.float64]) -> Interval | None:
    """The interval and p of the mean of `differences` (new - old, one a shared query); None of fewer than two."""
    if len(differences) < 2:
        return None
    changed = differences[differences != 0]
    if not len(changed):
        return Interval(0.0, 0.0, 1.0)
    low, high = _bootstrap(differences)
    return Interval(low, high, _sign_flip(changed))


def flips(ids: Sequence[str], differences: NDArray[np.float64], less_is_better: bool) -> Flips:
    """Which of the shared queries got better and which worse."""
    gains = -differences if less_is_better else differences
    return Flips(
        won=[key for key, gain in zip(ids, gains, strict=True) if gain > 0],
        lost=[key for key, gain in zip(ids, gains, strict=True) if gain < 0],
        tied=int(np.count_nonzero(gains == 0)),
    )


def differences(old: Mapping[str, float], new: Mapping[str, float]) -> tuple[list[str], NDArray[np.float64]]:
    """The ids that both have, in order, and new - old of each."""
    shared = sorted(old.keys() & new.keys())
    return shared, np.array([new[key] - old[key] for key in shared], dtype=np.float64)


def _sign_flip(changed: NDArray[np.float64]) -> float:
    from scipy.stats import permutation_test

    if len(changed) == 1:
        return 1.0  # either sign is as extreme, and scipy asks for two
    result = permutation_test(
        (changed,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=max(1, _BATCH // len(changed)),
        rng=np.random.default_rng(SEED),
    )
    return float(result.pvalue)


def _bootstrap(values: NDArray[np.float64]) -> tuple[float, float]:
    from scipy.stats import bootstrap

    if np.all(values == values[0]):
        return float(values[0]), float(values[0])
    result = bootstrap(
        (values,),
        np.mean,
        vectorized=True,
        n_resamples=BOOTSTRAP,
        confidence_level=CONFIDENCE,
        method="percentile",
        batch=max(1, _BATCH // len(values)),
        rng=np.random.default_rng(SEED),
    )
    return float(result.confidence_interval.low), float(result.confidence_interval.high)
