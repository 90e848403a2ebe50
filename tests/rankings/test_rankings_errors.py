"""Each mistake ends in a sentence that names the place; none is passed over in silence."""

import pyarrow as pa
import pytest
from ranking_files import table, text

from bench.errors import BenchError
from bench.rankings.evaluate import evaluate

HIT = "q1 Q0 d1 1 2.0 t"
JUDGED = "q1 0 d1 1"


def said(qrels, run, **options):
    with pytest.raises(BenchError) as error:
        evaluate(qrels, run, **options)
    return str(error.value)


@pytest.fixture
def good(tmp_path):
    """Qrels of q1 and q2."""
    return text(tmp_path / "good.qrels", JUDGED, "q2 0 d1 1")


TREC_RUNS = {
    "five fields": ([HIT, "q1 Q0 d2 1 2.0"], ":2:", "has 5 fields; a line has 6"),
    "five, then seven": (["q1 Q0 d1 1 2.0", "q1 Q0 d2 1 2.0 t t"], ":1:", "has 5 fields"),
    "blank line": ([HIT, "", "q1 Q0 d2 2 1.0 t"], ":2:", "has 0 fields"),
    "score is a word": ([HIT, "q1 Q0 d2 1 high t"], ":2:", "score 'high' is no number"),
    "not a number": ([HIT, "q1 Q0 d2 1 nan t"], ":2:", "score nan; scores are finite"),
    "infinite": ([HIT, "q1 Q0 d2 1 -inf t"], ":2:", "score -inf"),
    "beyond float32": ([HIT, "q1 Q0 d2 1 1e39 t"], ":2:", "within float32"),
    "repeated hit": ([HIT, "q1 Q0 d2 2 1 t", "q1 Q0 d1 3 0 t"], ":3:", "'d1' is returned already for query 'q1', at"),
    "query in two places": ([HIT, "q2 Q0 d1 1 2.0 t", "q1 Q0 d2 1 2.0 t"], ":3:", "sort -s -k1,1"),
}


@pytest.mark.parametrize("case", TREC_RUNS)
def test_trec_run(tmp_path, good, case):
    lines, place, what = TREC_RUNS[case]
    message = said(good, text(tmp_path / "run.trec", *lines))
    assert message.startswith(f"{tmp_path / 'run.trec'}{place}")
    assert what in message


def test_both_lines_of_a_repeated_hit_are_named(tmp_path, good):
    message = said(good, text(tmp_path / "run", "q2 Q0 x 1 1 t", HIT, "q1 Q0 d2 2 1 t", "q1 Q0 d1 3 0 t"))
    assert f"{tmp_path / 'run'}:4: " in message
    assert f"at {tmp_path / 'run'}:2;" in message


def test_a_run_that_is_not_utf8(tmp_path, good):
    (tmp_path / "run").write_bytes(HIT.encode() + b"\nq1 Q0 d\xff 2 1 t\n")
    assert f"{tmp_path / 'run'}:2: b'd\\xff' is not UTF-8" in said(good, tmp_path / "run")


JSONL_RUNS = {
    "no JSON": (['{"query_id": "q1", "hits": ['], ":1: Input data was truncated"),
    "no score": (['{"query_id": "q1", "hits": [{"doc_id": "d1"}]}'], "missing required field `score`"),
    "score is text": (['{"query_id": "q1", "hits": [{"doc_id": "d1", "score": "1"}]}'], "Expected `float`"),
    "not a number": (['{"query_id": "q1", "doc_ids": ["d1"], "scores": [NaN]}'], ":1: JSON is malformed"),
    "null": (['{"query_id": "q1", "doc_ids": ["d1"], "scores": [null]}'], "Expected `float`, got `null`"),
    "beyond float32": (['{"query_id": "q1", "doc_ids": ["a", "d1"], "scores": [1, -1e39]}'], ":1, hit 2: score -1e+39"),
    "lengths": (['{"query_id": "q1", "doc_ids": ["d1"], "scores": [1, 2]}'], "1 doc_ids, but 2 scores"),
    "both forms": (['{"query_id": "q1", "hits": [], "doc_ids": [], "scores": []}'], "either hits, or doc_ids"),
    "neither form": (['{"query_id": "q1"}'], "either hits, or doc_ids"),
    "number as id": (['{"query_id": 1, "hits": []}'], "Expected `str`, got `int`"),
    "padded": (
        ['{"query_id": "q1", "doc_ids": ["a b", " d1"], "scores": [2, 1]}'],
        "hit 2: document id ' d1'; ids are",
    ),
    "empty id": (['{"query_id": "q1", "doc_ids": [""], "scores": [2]}'], "hit 1: document id ''"),
    "padded query": (['{"query_id": "q1 ", "doc_ids": ["d1"], "scores": [2]}'], "query id 'q1 '"),
    "repeated": (['{"query_id": "q1", "doc_ids": ["d1", "a", "d1"], "scores": [3, 2, 1]}'], "hit 3: document 'd1' is"),
    "two lines": (['{"query_id": "q1", "hits": []}'] * 2, ":2, hit 1: query 'q1' has hits further up already; put all"),
}


@pytest.mark.parametrize("case", JSONL_RUNS)
def test_jsonl_run(tmp_path, good, case):
    lines, what = JSONL_RUNS[case]
    message = said(good, text(tmp_path / "run.jsonl", *lines))
    assert message.startswith(f"{tmp_path / 'run.jsonl'}:")
    assert what in message


PARQUET_RUNS = {
    "repeated": (
        ["q1", "q1", "q1"],
        ["d1", "a", "d1"],
        [3.0, 2, 1],
        "row 3: document 'd1' is returned already",
        "row 1;",
    ),
    "not a number": (["q1", "q1"], ["a", "d1"], [2.0, float("nan")], "row 2: score nan", "finite"),
    "beyond float32": (["q1", "q1"], ["a", "d1"], [2.0, 1e39], "row 2: score 1e+39", "float32"),
    "padded": (["q1", "q1"], ["a b", "d1 "], [2.0, 1], "row 2: document id 'd1 '", "no blanks around"),
    "padded by another blank": (["q1", "q1"], ["a", "d1\u00a0"], [2.0, 1], "row 2: document id 'd1\\xa0'", "blanks"),
    "empty id": (["q1", "q1"], ["a", ""], [2.0, 1], "row 2: document id ''", "non-empty"),
    "padded query": (["q1", " q2"], ["a", "b"], [2.0, 1], "row 2: query id ' q2'", "blanks"),
    "null": (["q1", "q1"], ["a", None], [2.0, 1], "row 2: doc_id is null", "every row"),
    "two places": (["q1", "q2", "q1"], ["a", "b", "d1"], [3.0, 2, 1], "row 3: query 'q1' has hits", "sort the table"),
    "score is text": (["q1"], ["a"], ["high"], "column score holds string", "numbers"),
}


@pytest.mark.parametrize("kind", [pa.string(), pa.dictionary(pa.int32(), pa.string())], ids=["plain", "dictionary"])
@pytest.mark.parametrize("case", PARQUET_RUNS)
def test_parquet_run(tmp_path, good, case, kind):
    queries, documents, scores, *what = PARQUET_RUNS[case]
    run = table(tmp_path / "run.parquet", kind, query_id=queries, doc_id=documents, score=scores)
    message = said(good, run)
    assert message.startswith(str(run))
    for part in what:
        assert part in message


def test_parquet_columns_are_named(tmp_path, good):
    run = table(tmp_path / "run.parquet", pa.string(), query_id=["q1"], docid=["a"], score=[1.0])
    assert "needed, once each: query_id, doc_id, score" in said(good, run)
    run = table(tmp_path / "run.parquet", pa.int64(), query_id=[1], doc_id=[1], score=[1.0])
    assert "column query_id holds int64; allowed: strings" in said(good, run)


def test_a_parquet_file_that_is_none(tmp_path, good):
    assert "cannot be read as parquet" in said(good, text(tmp_path / "run.parquet", HIT))


QRELS = {
    "fields": ([JUDGED, "q1 0 d2"], "good.trec", ":2: 'q1 0 d2' has 3 fields; a line has 4"),
    "judged twice": ([JUDGED, "q2 0 d1 1", "q1 0 d1 0"], "q.trec", ":3: document 'd1' of query 'q1' is judged already"),
    "judged twice in a row": ([JUDGED, "q1 0 d1 1"], "q.trec", ":2: document 'd1' of query 'q1' is judged already"),
    "fraction": ([JUDGED, "q1 0 d2 1.5"], "q.trec", ":2: grade 1.5 is no whole number"),
    "no number": ([JUDGED, "q1 0 d2 high"], "q.trec", ":2: grade high is no whole number"),
    "infinite": ([JUDGED, "q1 0 d2 inf"], "q.trec", ":2: grade inf is no whole number"),
    "empty": ([], "q.trec", " is empty: at least one grade above 0"),
    "nothing relevant": (["q1 0 d1 0", "q2 0 d1 -1"], "q.trec", " judges no document as relevant"),
    "beir fields": (["query-id\tcorpus-id\tscore", "q1\td1\t1", "q1 d2 1"], "q.tsv", ":3: 'q1 d2 1' has 1 fields"),
    "beir padded": (["query-id\tcorpus-id\tscore", "q1\td1 \t1"], "q.tsv", ":2: document id 'd1 '"),
    "jsonl fraction": (
        ['{"query_id": "q1", "doc_ids": ["a", "b"], "relevance": [1, 0.5]}'],
        "q.jsonl",
        "judgement 2: grade 0.5",
    ),
    "jsonl twice": (
        ['{"query_id": "q1", "doc_ids": ["a", "a"], "relevance": [1, 1]}'],
        "q.jsonl",
        "judgement 2: document",
    ),
    "jsonl truth": (['{"query_id": "q1", "doc_ids": ["a"], "relevance": [true]}'], "q.jsonl", "Expected `int | float`"),
    "jsonl none": (['{"query_id": "q1", "doc_ids": [], "relevance": []}'], "q.jsonl", "query 'q1' has no judgement"),
    "jsonl lengths": (['{"query_id": "q1", "doc_ids": ["a"], "relevance": []}'], "q.jsonl", "but 0 relevance"),
}


@pytest.mark.parametrize("case", QRELS)
def test_qrels(tmp_path, case):
    lines, name, what = QRELS[case]
    qrels = text(tmp_path / name, *lines)
    message = said(qrels, text(tmp_path / "run.trec", HIT))
    assert message.startswith(str(qrels))
    assert what in message


def test_both_places_of_a_judgement_are_named(tmp_path):
    qrels = text(tmp_path / "q", "q2 0 d1 1", JUDGED, "q2 0 d2 1", "q1 0 d1 0")
    assert f"{qrels}:4: document 'd1' of query 'q1' is judged already, at {qrels}:2;" in said(qrels, qrels)
    qrels = table(
        tmp_path / "q.parquet", pa.string(), query_id=["q", "p", "q"], doc_id=["a", "a", "a"], relevance=[1, 1, 2]
    )
    assert f"{qrels}, row 3: document 'a' of query 'q' is judged already, at {qrels}, row 1;" in said(qrels, qrels)


class TestWhichQueries:
    def test_an_empty_run(self, tmp_path, good):
        for name in ("run.trec", "run.jsonl"):
            assert "is empty: it answers no query" in said(good, text(tmp_path / name))
        empty = pa.array([], pa.string())
        run = table(
            tmp_path / "run.parquet", pa.string(), query_id=empty, doc_id=empty, score=pa.array([], pa.float64())
        )
        assert "is empty: it answers no query" in said(good, run)

    def test_unknown_queries_are_an_error_that_names_five(self, tmp_path, good):
        run = text(tmp_path / "run", HIT, *(f"x{number} Q0 d1 1 1 t" for number in range(7)))
        message = said(good, run)
        assert message.startswith("7 queries of ")
        assert "first 'x0', 'x1', 'x2', 'x3', 'x4'; " in message

    def test_unknown_queries_can_be_left_out_and_are_counted(self, tmp_path, good):
        run = text(tmp_path / "run", HIT, "x Q0 d1 1 1 t")
        done = evaluate(good, run, allow_unknown=True)
        assert done.counts["n_unknown"] == 1
        assert done.measures["recall@1"]["of"] == "1.0/2, n=1"

    def test_a_run_of_other_queries_altogether(self, tmp_path, good):
        run = text(tmp_path / "run", "7 Q0 d1 1 1 t")
        assert "the run has '7', the qrels have 'q1', 'q2'" in said(good, run, allow_unknown=True)

    def test_an_unknown_query_in_two_places(self, tmp_path, good):
        run = text(tmp_path / "run", "x Q0 d1 1 1 t", HIT, "x Q0 d2 1 1 t")
        assert ":3: query 'x' has hits further up already" in said(good, run, allow_unknown=True)

    def test_a_file_that_is_not_there(self, tmp_path, good):
        assert said(good, tmp_path / "none.jsonl") == f"{tmp_path / 'none.jsonl'} is no file"
