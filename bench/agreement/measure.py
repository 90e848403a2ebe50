"""The report on a set of votes, in the form of a DVC metric: names and numbers, no list, null or NaN, no dot in a name.

A number is a record `{value, low, high, n_items, n_raters, raw_agreement}`, `low` and `high` its 95 % interval over
items, absent where there is none. One that is not defined has `undefined: 1` and a `reason` in place of the value, and
the raw agreement beside it. All numbers are rounded to nine decimals.

`n_items` are the items that a number is over: those with two votes or more, which alone can agree. `n_raters` are the
annotators; where upstream does not name them, the most votes that an item has.

Votes that are sets of labels are measured twice: as exact sets, where two votes agree only if equal, and each category
on its own, named or not (`by_category`).
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any

from bench.agreement.coefficients import (
    Coefficient,
    Counts,
    cohen_kappa,
    fleiss_kappa,
    interval,
    item_agreement,
    nominal_alpha,
    ordinal_alpha,
    value,
)
from bench.agreement.votes import Labels, Table, Votes, tabulate, tabulate_category

_DECIMALS = 9

Record = dict[str, Any]


def measure(votes: Votes) -> Record:
    """The report; see above."""
    table = tabulate(votes)
    per_item = Counter(table.counts.sum(axis=1).tolist())
    raters = _raters(votes, max(per_item, default=0))
    report = {
        "n_items": len(table.items),
        "n_raters": raters,
        "n_votes": len(votes.votes),
        "n_skipped": len(votes.skipped),
        "items_by_votes": {str(number): items for number, items in sorted(per_item.items())},
        "shares": _shares(votes),
        **coefficients(table, raters, votes.ordinal and not votes.multi),
    }
    if votes.multi:
        report["by_category"] = {
            name(category): coefficients(tabulate_category(votes, category), raters, ordinal=False)
            for category in votes.categories
        }
    if votes.named:
        report["annotators"] = annotators(votes)
    return report


def coefficients(table: Table, raters: int, ordinal: bool) -> Record:
    """raw_agreement, fleiss_kappa, krippendorff_alpha, and the largest share of votes in one column (prevalence)."""
    able = table.counts.sum(axis=1) >= 2
    counts = table.counts[able]
    size = {"n_items": len(counts), "n_raters": raters}
    if not len(counts):
        missing = undefined("no item has two votes" if len(table.items) else "there are no items") | size
        return {"raw_agreement": missing, "fleiss_kappa": missing, "krippendorff_alpha": missing}
    agreeing = round(fsum(item_agreement(counts).tolist()), _DECIMALS)
    raw = round(agreeing / len(counts), _DECIMALS)
    totals = counts.sum(axis=0)
    items = [item for item, has in zip(table.items, able, strict=True) if has]
    return {
        "raw_agreement": {
            "value": raw,
            "numerator": agreeing,
            "denominator": len(counts),
            **size,
            "of": f"{agreeing}/{len(counts)}, n_raters={raters}",
        },
        "fleiss_kappa": _record(fleiss_kappa, counts, _unequal(items, counts)) | size | {"raw_agreement": raw},
        "krippendorff_alpha": {
            **_record(ordinal_alpha if ordinal else nominal_alpha, counts, None),
            **size,
            "raw_agreement": raw,
            "level": "ordinal" if ordinal else "nominal",
        },
        "prevalence": round(int(totals.max()) / int(totals.sum()), _DECIMALS),
    }


def annotators(votes: Votes) -> Record:
    """Each annotator against the others: Cohen's kappa with the label that more than half of the others chose.

    Over the items where the others have such a label (`n_items`); `no_consensus` counts those where they have none.
    Labels are nominal here, and a set of labels agrees with an equal one alone.
    """
    by_item: dict[str, Counter[Labels]] = defaultdict(Counter)
    for vote in votes.votes:
        by_item[vote.item][vote.labels] += 1
    pairs: dict[str, list[tuple[Labels, Labels]]] = {}
    without: Counter[str] = Counter()
    for vote in votes.votes:
        agreed = pairs.setdefault(vote.annotator, [])
        consensus = majority(by_item[vote.item] - Counter([vote.labels]))
        if consensus is None:
            without[vote.annotator] += 1
        else:
            agreed.append((vote.labels, consensus))
    return {name(who): _against_others(pairs[who], without[who]) for who in sorted(pairs)}


def majority(counts: Mapping[Labels, int], share: float = 0.5) -> Labels | None:
    """The labels that more than `share` of the votes have (at least a half); None where none have."""
    total = sum(counts.values())
    return next((labels for labels, number in counts.items() if number > share * total), None)


def undefined(reason: str) -> Record:
    """The start of a record without a value."""
    return {"undefined": 1, "reason": reason}


def name(text: str) -> str:
    """A key for a name that may hold dots, which DVC reads as steps: `%2E`, and `%25` for a per cent sign."""
    return text.replace("%", "%25").replace(".", "%2E")


def original(key: str) -> str:
    """The name that `name` made the key of."""
    return key.replace("%2E", ".").replace("%25", "%")


def _record(coefficient: Coefficient, counts: Counts, obstacle: str | None) -> Record:
    if obstacle:
        return undefined(obstacle)
    found = value(coefficient, counts)
    if found is None:
        return undefined("all votes are in one category, where chance alone agrees always")
    record = {"value": round(found, _DECIMALS)}
    if bounds := interval(coefficient, counts):
        record |= {"low": round(bounds[0], _DECIMALS), "high": round(bounds[1], _DECIMALS)}
    return record


def _unequal(items: Sequence[str], counts: Counts) -> str | None:
    """Why Fleiss' kappa cannot be computed, with an item of the rarest number of votes."""
    votes = counts.sum(axis=1).tolist()
    numbers = Counter(votes)
    if len(numbers) == 1:
        return None
    rare = min(numbers, key=lambda number: (numbers[number], number))
    return (
        f"items have {min(numbers)} to {max(numbers)} votes, and it asks for one number: item "
        f"{items[votes.index(rare)]!r} has {rare}; see krippendorff_alpha"
    )


def _against_others(pairs: Sequence[tuple[Labels, Labels]], without: int) -> Record:
    record: Record = {"n_items": len(pairs), "no_consensus": without}
    if not pairs:
        return record | undefined("the others have no majority on any of their items")
    equal = sum(ours == theirs for ours, theirs in pairs)
    record["raw_agreement"] = round(equal / len(pairs), _DECIMALS)
    kappa = cohen_kappa(pairs)
    if kappa is None:
        return record | undefined("all labels are one category, where chance alone agrees always")
    return record | {"value": round(kappa, _DECIMALS)}


def _shares(votes: Votes) -> Record:
    """Of each declared category, the share of votes that name it; none without votes."""
    named = Counter(label for vote in votes.votes for label in vote.labels)
    total = len(votes.votes)
    return {
        name(category): {
            "value": round(named[category] / total, _DECIMALS),
            "numerator": named[category],
            "denominator": total,
            "of": f"{named[category]}/{total}",
        }
        for category in votes.categories
        if total
    }


def _raters(votes: Votes, most: int) -> int:
    return len({vote.annotator for vote in votes.votes}) if votes.named else most
