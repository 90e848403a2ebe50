"""The same numbers as pytrec_eval, to 1e-9, wherever both are defined: whole pages as documents."""

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.measures import MEASURES
from bench.records import Annotation, CorpusHead, Gold, Hit, Origin, RunLine, Scope
from bench.score.judge import judge

CORPUS = {"s": CorpusHead("s", "pdf", "me", "2025-01-01T00:00:00Z", "d", {"pages": 400})}
THEIRS = {
    "recall": "recall_{}", "nDCG": "ndcg_cut_{}", "P": "P_{}", "MAP": "map_cut_{}",
}  # fmt: skip
GRADED = st.dictionaries(st.integers(1, 40), st.integers(1, 3), min_size=1, max_size=30)
SCORED = st.dictionaries(
    st.integers(1, 40), st.sampled_from([0.0, 1.0, 1.00000001, 1.5, -2.0, 1e-30, 3e7]) | st.floats(-9, 9), min_size=1
)


def docid(page):
    return f's#{{"page":{page}}}'


@settings(max_examples=300)
@given(gold=GRADED, scores=SCORED)
def test_every_measure_with_a_counterpart(gold, scores):
    query = Annotation(
        query_id="q", modality="pdf", question="?", answer=None, answer_format="none",
        gold=[Gold("s", {"page": page}, float(grade)) for page, grade in gold.items()],
        scope=Scope("me", None, "x"), as_of="2025-06-01T00:00:00Z", unanswerable=False,
        origin=Origin("d", "1", "i", "CC0-1.0"), split="dev",
    )  # fmt: skip
    hits = [Hit(score=score, strong=False, source_id="s", region={"page": page}) for page, score in scores.items()]
    ours = judge(query, RunLine("q", hits), CORPUS, {}, "run")
    evaluator = pytrec_eval.RelevanceEvaluator(
        {"q": {docid(page): grade for page, grade in gold.items()}},
        {"recall.1,3,5,10", "ndcg_cut.1,3,5,10", "P.1,3,5,10", "map_cut.1,3,5,10", "recip_rank"},
    )
    theirs = evaluator.evaluate({"q": {docid(page): score for page, score in scores.items()}})["q"]
    compared = 0
    for measure in MEASURES:
        name, _, cutoff = measure.key.partition("@")
        if measure.key == "MRR" or (name in THEIRS and cutoff):
            key = "recip_rank" if measure.key == "MRR" else THEIRS[name].format(cutoff)
            assert measure.value(ours) == pytest.approx(theirs[key], abs=1e-9), measure.key
            compared += 1
    assert compared == 17
