"""The comparison of two states of a suite, as every output shows it. All of it is plain data, and goes to --json."""

from typing import Any

import msgspec


class Interval(msgspec.Struct, frozen=True):
    """A 95 % interval of the mean change a query, and the p-value of the paired test behind it."""

    low: float
    high: float
    p: float


class Flips(msgspec.Struct, frozen=True):
    """Shared queries by whether their score rose, fell or stayed, better counting as won; ids behind --details."""

    won: list[str]
    lost: list[str]
    tied: int


class Row(msgspec.Struct, frozen=True):
    """One measure of one system, modality (or `all`) and split.

    `status`: same, changed, new, removed, not_comparable (with `why`). `old` and `new` are the records of scores.json,
    `{value, numerator, denominator, n, of}`, always shown with n and denominator, changed or not. `better` says
    whether the change is for the better; None where it is none.
    """

    system: str
    modality: str
    split: str
    measure: str
    status: str
    old: dict[str, Any] | None
    new: dict[str, Any] | None
    change: float | None
    better: bool | None
    interval: Interval | None
    flips: Flips | None
    why: str


class Part(msgspec.Struct, frozen=True):
    """One cause's share of a change; `n` is how many of its things changed (queries, entries), `what` names them."""

    cause: str
    change: float
    n: int
    what: str


class Split(msgspec.Struct, frozen=True):
    """A row's change by cause, in the order of `causes.CAUSES`; the parts sum to the change.

    `shared` is the number of queries that both states score. `sentence` says it plainly.
    """

    system: str
    modality: str
    split: str
    measure: str
    change: float
    shared: int
    parts: list[Part]
    sentence: str


class Rescored(msgspec.Struct, frozen=True):
    """--rescore: what either side's frozen run scores under either side's labels, on the `shared` queries."""

    system: str
    modality: str
    split: str
    measure: str
    shared: int
    old_run_old_labels: float
    old_run_new_labels: float
    new_run_old_labels: float
    new_run_new_labels: float


class LabelChange(msgspec.Struct, frozen=True):
    """A query that changed; `fields` maps each changed field to [old, new].

    `kind`: reworded, relabelled, removed, added, or `excluded`: a row that both states leave out, for another reason
    or with another raw value. Its ids are `<dataset> <item>`, and it has no modality.
    """

    kind: str
    query_id: str
    before_id: str
    modality: str
    fields: dict[str, list[Any]]
    why: str


class Flip(msgspec.Struct, frozen=True):
    """A query whose headline score changed, with what a reader needs to see why."""

    system: str
    query_id: str
    modality: str
    measure: str
    old: float
    new: float
    question: str
    gold: list[str]
    old_hits: list[str]
    new_hits: list[str]


class Gate(msgspec.Struct, frozen=True):
    """A --fail-on rule or acceptance threshold: `outcome` is pass, fail or cannot-compare."""

    rule: str
    outcome: str
    detail: str


class Comparison(msgspec.Struct, frozen=True):
    """Two states of one suite. `notes` are sentences that a reader must not miss, such as what could not be read."""

    suite: str
    old: str
    new: str
    old_name: str
    new_name: str
    headline: str
    rows: list[Row]
    splits: list[Split]
    labels: list[LabelChange]
    corpus: dict[str, int]
    flips: list[Flip]
    gates: list[Gate]
    latency: dict[str, Any]
    notes: list[str]
    rescored: list[Rescored] = []

    @property
    def outcome(self) -> int:
        """The exit code: 0 fine, 1 regressed, 2 cannot compare."""
        outcomes = {gate.outcome for gate in self.gates}
        return 1 if "fail" in outcomes else 2 if "cannot-compare" in outcomes else 0
