"""Is a set of votes good enough to be gold? Accepted, rejected for relabelling, or undetermined: for a person.

In this order, over the report of `measure`:
undetermined  there are no items
reject        no item has as many votes as it needs
undetermined  the coefficient is not defined
accept        it reaches the bar
undetermined  it does not, but more than `max_prevalence` of the votes are in one category: a low coefficient then says
              little (47 of 50 items unanimous, kappa below 0)
reject        it does not

The coefficient is Fleiss' kappa; Krippendorff's alpha where items have unequal numbers of votes, or categories are
ordinal. Votes that are sets of labels are judged as exact sets, the strictest reading.
"""

from typing import Any, NamedTuple

from bench.agreement.declare import Declaration, Settings

ACCEPT, REJECT, UNDETERMINED = "accept", "reject", "undetermined"
EXIT_CODES = {ACCEPT: 0, REJECT: 1, UNDETERMINED: 2}


class Bar(NamedTuple):
    """What a set must reach. `majority` is the share of an item's votes that its label has to exceed."""

    annotators: int
    kappa: float
    prevalence: float
    majority: float


class Verdict(NamedTuple):
    """The outcome, why, and the coefficient that decided."""

    outcome: str
    reason: str
    measure: str


def bar(settings: Settings, declared: Declaration) -> Bar:
    """The bar for a votes file of this declaration."""
    return Bar(
        annotators=settings.min_annotators_critical if declared.critical else settings.min_annotators,
        kappa=settings.min_kappa_benchmark if declared.benchmark else settings.min_kappa,
        prevalence=settings.max_prevalence,
        majority=settings.min_majority,
    )


def judge(report: dict[str, Any], needed: Bar) -> Verdict:
    """The verdict; see above."""
    measure = deciding(report)
    record = report[measure]
    if not report["n_items"]:
        return Verdict(UNDETERMINED, "there are no items", measure)
    most = max(int(number) for number in report["items_by_votes"])
    if most < needed.annotators:
        return Verdict(REJECT, f"no item has {needed.annotators} votes, the most is {most}: collect more", measure)
    if "value" not in record:
        return Verdict(UNDETERMINED, f"{measure} is undefined: {record['reason']}", measure)
    found = f"{measure} {record['value']:.3f}"
    if record["value"] >= needed.kappa:
        return Verdict(ACCEPT, f"{found} reaches {needed.kappa}", measure)
    if report["prevalence"] > needed.prevalence:
        said = f"{report['prevalence']:.1%} of the votes are in one category, where it says little"
        return Verdict(UNDETERMINED, f"{found} is below {needed.kappa}, but {said}", measure)
    return Verdict(REJECT, f"{found} is below {needed.kappa}: make the guideline clearer and label anew", measure)


def deciding(report: dict[str, Any]) -> str:
    """Which coefficient of the report decides; see above."""
    ordinal = report["krippendorff_alpha"].get("level") == "ordinal"
    unequal = len([number for number in report["items_by_votes"] if int(number) >= 2]) > 1
    return "krippendorff_alpha" if ordinal or unequal else "fleiss_kappa"


def warnings(report: dict[str, Any], needed: Bar, measure: str) -> list[str]:
    """What a reader of the coefficient should know."""
    record = report[measure]
    said = []
    if report.get("prevalence", 0) > needed.prevalence:
        said.append(f"{report['prevalence']:.1%} of the votes are in one category: compare the raw agreement")
    if "value" in record and "low" not in record:
        said.append(f"{measure} has no interval: too few items, or resamples of them leave it undefined")
    if "low" in record and record["low"] < needed.kappa <= record["high"]:
        said.append(f"the bar {needed.kappa} lies within the interval: other items could have decided otherwise")
    return said
