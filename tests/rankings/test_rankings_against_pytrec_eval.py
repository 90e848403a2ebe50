"""Per query the same numbers as pytrec_eval, to 1e-9, in every format and whatever the order of lines."""

import json
import tempfile
from pathlib import Path

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from ranking_files import FORMATS, write

from bench.rankings.evaluate import evaluate

THEIRS = {"recall": "recall_{}", "nDCG": "ndcg_cut_{}", "P": "P_{}", "MAP": "map_cut_{}"}
ASKED = {"recall.1,3,5,10", "ndcg_cut.1,3,5,10", "P.1,3,5,10", "map_cut.1,3,5,10", "recip_rank"}
IDS = st.sampled_from([*map(str, range(14)), "007", "7 ".strip(), "ü", "𝔸", "\uffee", "q1", "d-1"])
SCORES = st.sampled_from([0.0, 1.0, 1.00000001, 1.00000002, 1.5, -2.0, 1e-30, 3e7]) | st.floats(-9, 9)
QRELS = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(IDS, st.integers(-1, 3), min_size=1))
RUNS = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(IDS, SCORES, min_size=1), min_size=1)


def per_query(folder, form, qrels, run):
    """{query: {measure: value}} as `bench evaluate --per-query` writes them."""
    files = write(folder, form, qrels, run)
    target = folder / "per_query.jsonl"
    evaluate(files.qrels, files.run, target)
    lines = map(json.loads, target.read_text(encoding="utf-8").splitlines())
    return {line["query_id"]: line["scores"] for line in lines}


def agree(ours, qrels, run):
    theirs = pytrec_eval.RelevanceEvaluator(qrels, ASKED).evaluate(run)
    assert ours.keys() == qrels.keys()
    for query_id, scores in ours.items():
        for key, value in scores.items():
            name, _, cutoff = key.partition("@")
            if query_id not in run:
                assert value == 0
            elif name in THEIRS:
                assert value == pytest.approx(theirs[query_id][THEIRS[name].format(cutoff)], abs=1e-9), key
            else:
                reciprocal = theirs[query_id]["recip_rank"]
                within = not cutoff or reciprocal >= 1 / int(cutoff) - 1e-9
                assert value == pytest.approx(reciprocal if within else 0, abs=1e-9), key


@settings(max_examples=150, deadline=None)
@given(qrels=QRELS, run=RUNS, random=st.randoms(use_true_random=False))
def test_any_data(qrels, run, random):
    qrels = {"q9": {"d": 1}} | {query_id: grades for query_id, grades in qrels.items() if grades}
    run = {"q9": {"d": 1.0}} | {query_id: found for query_id, found in run.items() if query_id in qrels}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = per_query(folder, "trec", qrels, run)
        agree(first, qrels, run)
        for form in FORMATS:
            assert per_query(folder, form, qrels, shuffled(run, random)) == first, form


def shuffled(run, random):
    """The same run with its queries, and the hits of each, in another order."""
    queries = random.sample(list(run), len(run))
    return {query_id: dict(random.sample(list(run[query_id].items()), len(run[query_id]))) for query_id in queries}


EDGE_CASES = {
    "ties, relevant first in the file": ({"d1": 1}, {"d1": 1.0, "d2": 1.0, "d9": 1.0}, {"MRR": 1 / 3}),
    "ties, relevant has the largest id": ({"d9": 1}, {"d1": 1.0, "d2": 1.0, "d9": 1.0}, {"MRR": 1.0}),
    "12 equal scores, cut at 10": (
        {"d01": 1},
        {f"d{number:02}": 1.0 for number in range(1, 13)},
        {"nDCG@10": 0.0, "MRR": 1 / 12, "MRR@10": 0.0},
    ),
    "ids 9 and 10 tied": ({"9": 1}, {"10": 1.0, "9": 1.0}, {"MRR": 1.0}),
    "scores that differ beyond float32": ({"a": 1}, {"a": 1.00000002, "b": 1.00000001}, {"MRR": 0.5}),
    "only grade 0": ({"d1": 0}, {"d1": 1.0}, {"MAP@10": 0.0, "recall@10": 0.0, "nDCG@10": 0.0}),
    "negative grade": ({"a": -1, "b": 1}, {"a": 2.0, "b": 1.0}, {"nDCG@10": 0.6309297535714575, "P@1": 0.0}),
    "graded gain is linear": ({"a": 3, "b": 1}, {"b": 2.0, "a": 1.0}, {"nDCG@10": 0.7967075809905066}),
    "20 relevant, the first 10 all relevant": (
        {f"d{number:02}": 1 for number in range(20)},
        {f"d{number:02}": 30.0 - number for number in range(10)},
        {"recall@10": 0.5, "MAP@10": 0.5},
    ),
    "5 hits, all relevant": (
        {f"d{number}": 1 for number in range(5)},
        {f"d{number}": 9.0 - number for number in range(5)},
        {"P@10": 0.5},
    ),
    "document id is the query id": ({"q1": 1}, {"q1": 1.0}, {"nDCG@10": 1.0}),
    "ids 007 and 7 are two": ({"007": 1}, {"7": 2.0, "007": 1.0}, {"MRR": 0.5}),
    "unsorted file": ({"a": 1}, {"b": 1.0, "c": 0.5, "a": 2.0}, {"MRR": 1.0}),
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("case", EDGE_CASES)
def test_edge_case(tmp_path, case, form):
    grades, found, expected = EDGE_CASES[case]
    qrels, run = {"q1": grades, "q2": {"d": 1}}, {"q1": found, "q2": {"d": 1.0}}
    ours = per_query(tmp_path, form, qrels, run)
    agree(ours, qrels, run)
    for key, value in expected.items():
        assert ours["q1"][key] == pytest.approx(value, abs=1e-12)
