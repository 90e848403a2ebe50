"""Acceptance and discrimination: three outcomes, and a warning where a source says nothing."""

from bench.measures import record
from bench.score.acceptance import accept
from bench.score.discriminate import indiscriminate

THRESHOLDS = {"recall@10": 0.9, "false_recall": 0.1, "holder_correctness_twins": 0.95}


def scores(**values):
    return {"all": {"test": {key.replace("_at_", "@"): record([value], 1) for key, value in values.items()}}}


def test_pass_needs_every_threshold():
    outcome = accept(scores(recall_at_10=0.9, false_recall=0.1, holder_correctness_twins=1.0), THRESHOLDS)
    assert outcome.outcome == "pass"
    assert "false_recall <= 0.1: 0.1000 (0.1/1, n=1)" in outcome.reasons


def test_one_missed_threshold_fails():
    assert (
        accept(scores(recall_at_10=0.9, false_recall=0.11, holder_correctness_twins=1.0), THRESHOLDS).outcome == "fail"
    )
    assert (
        accept(scores(recall_at_10=0.89, false_recall=0.1, holder_correctness_twins=1.0), THRESHOLDS).outcome == "fail"
    )


def test_what_was_not_measured_is_never_a_pass():
    outcome = accept(scores(recall_at_10=1.0, false_recall=0.0), THRESHOLDS)
    assert outcome.outcome == "cannot-compare"
    assert "holder_correctness_twins >= 0.95: not measured on test" in outcome.reasons
    assert accept({}, THRESHOLDS).outcome == "cannot-compare"


def documents(keyword, chance):
    return {
        system: {"by_source": {"s": {"dev": {"nDCG@10": record([value], 1)}}}}
        for system, value in (("bm25", keyword), ("random", chance))
    }


def test_a_source_that_tells_systems_apart_is_not_warned_of():
    assert list(indiscriminate(documents(0.6, 0.1), 0.05)) == []


def test_a_source_that_does_not_is():
    (close,) = indiscriminate(documents(0.6, 0.58), 0.05)
    assert close == "s (dev, 1 queries): bm25 has nDCG@10 0.600 and random 0.580, less than 0.05 apart"
    (perfect,) = indiscriminate(documents(1.0, 0.1), 0.05)
    assert "cannot be told apart" in perfect
    (nothing,) = indiscriminate(documents(0.0, 0.0), 0.05)
    assert "cannot be told apart" in nothing


def test_without_the_two_systems_there_is_nothing_to_say():
    assert list(indiscriminate({"bm25": {}}, 0.05)) == []
