"""Acceptance of a system: its test scores against the thresholds of params. Not measured is never a pass."""

from collections.abc import Mapping
from typing import Any, NamedTuple

# Measures of which less is better; of all others, more.
LESS_IS_BETTER = ("false_recall",)


class Outcome(NamedTuple):
    """`pass`, `fail` or `cannot-compare`, and a line a threshold that says why."""

    outcome: str
    reasons: list[str]


def accept(document: Mapping[str, Any], thresholds: Mapping[str, float]) -> Outcome:
    """Hold the `all` block of a scores.json, test split, against {measure: threshold}."""
    records = document.get("all", {}).get("test", {})
    reasons, failed, missing = [], False, False
    for measure, threshold in sorted(thresholds.items()):
        if measure not in records:
            missing = True
            reasons.append(f"{wanted(measure, threshold)}: not measured on test")
            continue
        value = records[measure]["value"]
        right = value <= threshold if measure.startswith(LESS_IS_BETTER) else value >= threshold
        failed |= not right
        reasons.append(f"{wanted(measure, threshold)}: {value:.4f} ({records[measure]['of']})")
    return Outcome("cannot-compare" if missing else "fail" if failed else "pass", reasons)


def wanted(measure: str, threshold: float) -> str:
    """`recall@10 >= 0.9`."""
    return f"{measure} {'<=' if measure.startswith(LESS_IS_BETTER) else '>='} {threshold}"
