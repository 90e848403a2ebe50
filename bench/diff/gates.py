"""What makes a comparison fail: `--fail-on` rules, and the acceptance thresholds. Latency is never gated.

A rule is `[SYSTEM/][PLACE.]MEASURE:CHANGE`: `recall@10:-0.02` fails where recall@10 fell by more than 0.02;
`pdf.recall@10:-0.02` looks at one modality, `bm25/all.false_recall:+0.02` at one system. PLACE is `all` unless
named. CHANGE is the worst change that passes: 0 or below where more is better, 0 or above for false_recall.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bench.diff.model import Gate, Row
from bench.errors import CannotCompare
from bench.score.acceptance import LESS_IS_BETTER, accept

_RULE = re.compile(r"(?:(?P<system>[^/:]+)/)?(?:(?P<place>[^./:]+)\.)?(?P<measure>[^./:]+):(?P<change>[-+]?\d*\.?\d+)")
# Changes are differences of floats: 0.90 - 0.88 is a little more than 0.02.
_EXACT = 12


class Rule(NamedTuple):
    """A parsed rule. `system` is None where it is over every system."""

    text: str
    system: str | None
    place: str
    measure: str
    change: float


def parse_rule(text: str) -> Rule:
    """CannotCompare on a text that is no rule, or whose sign would let the measure only improve."""
    match = _RULE.fullmatch(text.strip())
    if match is None:
        raise CannotCompare(
            f"--fail-on {text!r} is no rule: write [SYSTEM/][PLACE.]MEASURE:CHANGE, such as recall@10:-0.02 "
            "or bm25/pdf.false_recall:+0.02"
        )
    change = float(match["change"])
    falls = match["measure"].startswith(LESS_IS_BETTER)
    if change < 0 if falls else change > 0:
        raise CannotCompare(
            f"--fail-on {text!r}: of {match['measure']} {'less' if falls else 'more'} is better, so the worst change "
            f"that passes is {'0 or above' if falls else '0 or below'}, such as {match['measure']}:"
            f"{'+' if falls else '-'}0.02"
        )
    return Rule(text.strip(), match["system"], match["place"] or "all", match["measure"], change)


def gates(
    rules: Iterable[Rule],
    rows: Sequence[Row],
    documents: Mapping[str, Mapping[str, Any]],
    settings: Mapping[str, Any],
    systems: Sequence[str],
) -> list[Gate]:
    """The outcome of every rule, then of the acceptance thresholds where the new state's params turn them on.

    `settings` is the new state's `score` section. Accepted is the first of `systems`, the one under test: others are
    references, one of which is there to fail.
    """
    made = [_gate(rule, rows) for rule in rules]
    if settings.get("acceptance") and systems:
        outcome = accept(documents.get(systems[0], {}), settings.get("thresholds", {}))
        made.append(Gate(f"acceptance of {systems[0]}", outcome.outcome, "; ".join(outcome.reasons)))
    return made


def _gate(rule: Rule, rows: Sequence[Row]) -> Gate:
    named = [row for row in rows if (row.modality, row.measure) == (rule.place, rule.measure)]
    # A system that is new has nothing to regress from, unless the rule names it.
    over = [row for row in named if row.system == rule.system or (rule.system is None and row.status != "new")]
    if not over:
        return Gate(rule.text, "cannot-compare", "nothing that the rule names is scored on both sides")
    found = [(*_outcome(rule, row), f"{row.system}, {row.split}") for row in over]
    for outcome in ("fail", "cannot-compare", "pass"):
        if details := [f"{where}: {detail}" for happened, detail, where in found if happened == outcome]:
            return Gate(rule.text, outcome, "; ".join(details))
    raise AssertionError("every row has an outcome")


def _outcome(rule: Rule, row: Row) -> tuple[str, str]:
    if row.change is None or row.old is None or row.new is None:
        return "cannot-compare", f"{row.status.replace('_', ' ')}: {row.why}".rstrip(": ")
    change = round(row.change - rule.change, _EXACT)
    failed = change > 0 if rule.measure.startswith(LESS_IS_BETTER) else change < 0
    return "fail" if failed else "pass", f"{row.change:+.6g} ({row.old['of']} -> {row.new['of']})"
