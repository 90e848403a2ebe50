"""Rules and thresholds: three outcomes, the worst of which counts."""

from pathlib import Path

import pytest
from hand_made import LABELS_OLD, OLD, RUN_NEW, RUN_OLD, Made, compared

from bench.diff.compare import Options
from bench.diff.gates import parse_rule
from bench.errors import CannotCompare


def outcome(folder: Path, rule: str, new: Made) -> tuple[int, str]:
    comparison = compared(folder, OLD, new, Options(every=True, rules=[parse_rule(rule)]))
    return comparison.outcome, comparison.gates[0].outcome


@pytest.mark.parametrize(
    ("rule", "code", "expected"),
    [
        ("P@1:-0.25", 0, "pass"),
        ("P@1:-0.2", 1, "fail"),
        ("image.P@1:-0.2", 1, "fail"),
        ("mine/image.P@1:-0.2", 1, "fail"),
        ("mine/pics.P@1:-.2", 1, "fail"),
        ("recall@10:0", 0, "pass"),
        ("video.P@1:-0.2", 2, "cannot-compare"),
        ("theirs/P@1:-0.2", 2, "cannot-compare"),
        ("P@7:-0.2", 2, "cannot-compare"),
    ],
)
def test_a_rule(tmp_path: Path, rule: str, code: int, expected: str) -> None:
    assert outcome(tmp_path, rule, Made(LABELS_OLD, RUN_NEW)) == (code, expected)


def test_false_recall_fails_where_it_rises(tmp_path: Path) -> None:
    old = OLD.but(gold=LABELS_OLD | {"q9": "", "q8": ""}, ranks=RUN_OLD | {"q9": "ab", "q8": ""})
    new = old.but(ranks=old.ranks | {"q8": "ab"})
    for before, after, expected in ((old, new, "fail"), (new, old, "pass")):
        comparison = compared(tmp_path, before, after, Options(rules=[parse_rule("false_recall:+0.02")]))
        assert comparison.gates[0].outcome == expected
        [row] = [row for row in comparison.rows if (row.measure, row.modality) == ("false_recall", "all")]
        assert row.better is (expected == "pass")
        assert (len(row.flips.won), len(row.flips.lost)) == ((1, 0) if expected == "pass" else (0, 1))


def test_a_measure_that_is_gone_cannot_be_compared(tmp_path: Path) -> None:
    old = OLD.but(gold=LABELS_OLD | {"q9": ""}, ranks=RUN_OLD | {"q9": "ab"})
    comparison = compared(tmp_path, old, OLD, Options(rules=[parse_rule("false_recall:+0.02")]))
    assert comparison.outcome == 2
    assert "removed: not measured in workspace" in comparison.gates[0].detail


@pytest.mark.parametrize("rule", ["", "recall@10", "recall@10:", "recall@10:x", "a/b/c:0", "recall@10:-0.02%", ":-0.1"])
def test_what_is_no_rule(rule: str) -> None:
    with pytest.raises(CannotCompare, match="is no rule"):
        parse_rule(rule)


def test_a_change_of_exactly_the_tolerance_passes(tmp_path: Path) -> None:
    """0.5 - 0.4 is a little less than 0.1 in floats, and is 0.1 for everybody else."""
    gold = {f"q{number}": "a" for number in range(10)}
    old = Made(gold, {name: "ab" if number < 5 else "ba" for number, name in enumerate(gold)})
    new = Made(gold, {name: "ab" if number < 4 else "ba" for number, name in enumerate(gold)})
    for rule, expected in (("P@1:-0.1", 0), ("P@1:-0.0999", 1)):
        assert compared(tmp_path, old, new, Options(rules=[parse_rule(rule)])).outcome == expected
