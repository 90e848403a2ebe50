"""Owners and times for sources whose upstream states none. The manifest says what was `assigned`.

Holders: sources in the order of sha256(dataset, source_id), cut into runs of equal length, at least `per_holder` each.
Times: a stated epoch plus whole days within one year, by hash; queries are asked at the end of that year.
"""

from collections.abc import Iterable

from bench.ids import digest, share
from bench.times import shift

DAYS = 365


def holders(dataset: str, source_ids: Iterable[str], per_holder: int) -> dict[str, str]:
    """{source_id: holder}: every holder has at least `per_holder` sources, where there are that many at all."""
    ordered = sorted(source_ids, key=lambda source_id: digest(dataset, source_id))
    count = max(1, len(ordered) // per_holder)
    return {source_id: f"{dataset}:{rank * count // len(ordered):04d}" for rank, source_id in enumerate(ordered)}


def observed_at(dataset: str, source_id: str, epoch: str) -> str:
    """A midnight within the year that begins at `epoch`."""
    return shift(epoch, days=int(share(dataset, source_id, "observed_at") * DAYS))


def end_of_year(epoch: str) -> str:
    """The last second of the assigned year: when questions without a date of their own are asked."""
    return shift(epoch, days=DAYS, seconds=-1)
