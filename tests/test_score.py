"""Denominators, missing lines, unmeasured queries, and what a faulty run gets told."""

import json

import pytest

from bench.errors import BenchError
from bench.jsonl import encode, read_rows
from bench.normalize.run import normalize
from bench.records import Annotation
from bench.score.run import read_corpus, read_queries, score_run
from bench.score.runs import Run
from suites import locomo, make_suite

SPLITS = ("dev", "test")


@pytest.fixture
def suite(tmp_path):
    built = make_suite(tmp_path, locomo(), twins={"other_holder": 1.0, "before_observation": 1.0})
    normalize(built)
    return built


@pytest.fixture
def scored(suite, tmp_path):
    """A function that scores run lines given as objects, with files beside them."""
    everything = read_queries(suite), read_corpus(suite)

    def run(lines, name="conversation.jsonl", textless=(), **beside):
        folder = tmp_path / "run"
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"".join(encode(line) + b"\n" for line in lines))
        for stem, content in beside.items():
            (folder / f"{stem}.json").write_text(json.dumps(content))
        return score_run(Run(folder, "mine"), *everything, SPLITS, textless)

    return run


def perfect(suite, *, unanswerable=True):
    return [
        {
            "query_id": query.query_id,
            "hits": [
                {"source_id": gold.source_id, "region": gold.region, "score": 1.0, "strong": True}
                for gold in query.gold
            ],
        }
        for query in read_rows(suite.sets / "conversation.jsonl", Annotation)
        if unanswerable or not query.unanswerable
    ]


def test_a_perfect_run_scores_one_everywhere(suite, scored):
    document = scored(perfect(suite)).document
    for split in SPLITS:
        records = document["all"][split]
        total = records["recall@10"]["denominator"]
        assert total > 0
        assert records["recall@10"]["of"] == f"{total}.0/{total}, n={total}"
        assert records["nDCG@10"]["value"] == records["MRR"]["value"] == records["MAP@10"]["value"] == 1
        assert records["false_recall"]["value"] == 0


def test_a_query_without_a_line_takes_the_worst_value_of_each_measure(suite, scored):
    lines = perfect(suite)
    whole = scored(lines).document["all"]["dev"]
    answered = [query for query in read_queries(suite).values() if query.split == "dev"][:3]
    kept = {query.query_id for query in answered}
    part = scored([line for line in lines if line["query_id"] in kept]).document["all"]["dev"]
    for measure, record in whole.items():
        assert part[measure]["denominator"] == record["denominator"], measure
    assert part["recall@10"]["numerator"] == part["recall@10"]["n"]
    assert part["false_recall"]["numerator"] == part["false_recall"]["denominator"] - part["false_recall"]["n"]
    assert part["holder_correctness"]["n"] == 3


def test_a_line_with_no_hits_is_an_abstention(suite, scored):
    lines = [{"query_id": query_id, "hits": []} for query_id in read_queries(suite)]
    records = scored(lines).document["all"]["dev"]
    assert records["recall@10"]["value"] == 0
    assert records["recall@10"]["n"] == records["recall@10"]["denominator"]
    assert records["false_recall"]["value"] == 0
    assert records["temporal_correctness"]["value"] == records["holder_correctness"]["value"] == 1


def test_what_a_text_system_cannot_read_is_counted_and_not_scored(suite, scored):
    lines = perfect(suite)
    with pytest.raises(BenchError, match="has no line for any"):
        scored(lines, textless=["locomo"], system={"reads": "text"})
    document = scored(lines, textless=["locomo"], system={"reads": "any"}).document
    assert document["counts"]["all"]["dev"]["unmeasured"] == 0


def test_no_null_list_nan_or_dot_in_a_name(suite, scored):
    def walk(value, name):
        assert "." not in name
        assert isinstance(value, dict | int | float | str), name
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, key)

    walk(scored(perfect(suite)).document, "")


def test_by_source_and_by_scenario_hold_the_same_records(suite, scored):
    document = scored(perfect(suite)).document
    assert document["by_source"]["locomo"] == document["conversation"]
    assert set(document["by_scenario"]["conversation"]) == {"single_hop", "adversarial"}


@pytest.mark.parametrize(
    ("hits", "message"),
    [
        ({}, "is not a RunLine record: Object missing required field `hits`"),
        ({"hits": [{"source_id": "x", "region": {}, "score": 1, "strong": False}]}, "not in the conversation corpus"),
        ({"hits": [{"source_id": "x", "region": {}, "strong": False}]}, "missing required field `score`"),
    ],
)
def test_a_faulty_line_is_named(suite, scored, hits, message):
    with pytest.raises(BenchError, match=message):
        scored([{"query_id": next(iter(read_queries(suite))), **hits}])


def test_a_line_for_an_unknown_query_is_an_error(scored):
    with pytest.raises(BenchError, match="'nobody' is no query of this suite"):
        scored([{"query_id": "nobody", "hits": []}])


def test_a_second_line_for_a_query_is_an_error(suite, scored):
    lines = perfect(suite)
    with pytest.raises(BenchError, match="has a line already"):
        scored([*lines, lines[0]])


def test_a_query_in_the_file_of_another_modality_is_an_error(suite, scored):
    with pytest.raises(BenchError, match="is a conversation query"):
        scored(perfect(suite)[:1], name="pdf.jsonl")


def test_the_order_of_lines_does_not_matter(suite, scored):
    lines = perfect(suite)
    assert scored(lines) == scored(lines[::-1])


def test_an_atom_stands_once(suite, scored, tmp_path):
    atom = {"atom_id": "a", "source_id": "locomo/conv-0/session_1", "regions": [{"turn": 1}]}
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "atoms.jsonl").write_bytes(2 * (encode(atom) + b"\n"))
    with pytest.raises(BenchError, match=r"atoms\.jsonl:2 of run mine: atom 'a' stands there already"):
        scored(perfect(suite))


def test_system_json_is_an_object(suite, scored):
    with pytest.raises(BenchError, match="must be an object"):
        scored(perfect(suite), system=[])
