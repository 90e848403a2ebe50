"""What is averaged, over what, and what is written."""

import json
import random

import numpy as np
import pyarrow as pa
import pytest
from ranking_files import FORMATS, rows, table, text, write
from typer.testing import CliRunner

from bench.cli import app
from bench.measures import MEASURES, Judged
from bench.measures.base import CUTOFFS
from bench.rankings import parquet, rank, tables, trec
from bench.rankings.evaluate import evaluate
from bench.rankings.fingerprints import fingerprints
from bench.rankings.measures import KEYS
from bench.systems.latency import percentile

E1_QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1}}
E1_RUN = {"q1": {"d1": 1.0, "d2": 1.0, "d9": 1.0}}


def value(evaluation, key):
    return evaluation.measures[key]["value"]


@pytest.mark.parametrize("form", FORMATS)
class TestPinned:
    def test_a_missing_query_counts_as_zero_and_is_counted(self, tmp_path, form):
        """E1, with E2's order of ties: d9, d2, d1."""
        done = evaluate(*write(tmp_path, form, E1_QRELS, E1_RUN))
        expected = {"MAP@10": 1 / 6, "MRR": 1 / 6, "nDCG@10": 0.25, "recall@10": 0.5, "P@1": 0.0}
        assert {key: value(done, key) for key in expected} == pytest.approx(expected, abs=1e-9)
        assert done.measures["recall@10"] == {
            "value": 0.5, "numerator": 1.0, "denominator": 2, "n": 1, "of": "1.0/2, n=1",
        }  # fmt: skip
        assert done.counts == {"n_queries": 2, "n_missing": 1, "n_without_relevant": 0, "n_unknown": 0, "hits": 3}

    @pytest.mark.parametrize("order", [("d1", "d2", "d9"), ("d9", "d1", "d2"), ("d2", "d9", "d1")])
    def test_ties_go_by_id_descending_whatever_the_order(self, tmp_path, form, order):
        """E2."""
        done = evaluate(*write(tmp_path, form, {"q1": {"d1": 1}}, {"q1": dict.fromkeys(order, 1.0)}))
        assert value(done, "MRR") == pytest.approx(1 / 3, abs=1e-9)

    def test_gain_is_linear(self, tmp_path, form):
        """E3."""
        done = evaluate(*write(tmp_path, form, {"q": {"a": 3, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}))
        assert value(done, "nDCG@10") == pytest.approx(0.7967075809905066, abs=1e-9)

    def test_a_query_without_a_relevant_document_counts_as_zero_and_is_counted(self, tmp_path, form):
        """E4."""
        qrels = {"q1": {"d1": 0}, "q2": {"a": -1, "b": 1}}
        done = evaluate(*write(tmp_path, form, qrels, {"q1": {"d1": 1.0}, "q2": {"a": 2.0, "b": 1.0}}))
        assert value(done, "nDCG@10") == pytest.approx(0.6309297535714575 / 2, abs=1e-9)
        assert value(done, "recall@3") == 0.5
        assert done.counts["n_without_relevant"] == 1


def test_percentiles_are_nearest_rank():
    """E7: neither interpolated (19.05) nor a floor index (20)."""
    assert percentile([float(number) for number in range(20, 0, -1)], 95) == 19


@pytest.mark.parametrize("form", FORMATS)
def test_queries_that_go_over_every_border_of_a_batch(tmp_path, form, monkeypatch):
    """Tiny chunks and batches: the same numbers as in one."""
    chance = random.Random(5)
    documents = [f"d{number}" for number in range(30)]
    qrels = {f"q{number}": {d: chance.randint(-1, 3) for d in chance.sample(documents, 9)} for number in range(40)}
    run = {
        query_id: {d: chance.randint(0, 9) / 3 for d in chance.sample(documents, chance.randint(1, 25))}
        for query_id in chance.sample(list(qrels), 35)
    }
    files = write(tmp_path, form, qrels, run)
    whole = evaluate(*files)
    monkeypatch.setattr(trec, "_CHUNK", 50)
    monkeypatch.setattr(tables, "ROWS", 7)
    monkeypatch.setattr(rank, "_QUERIES_A_BATCH", 3)
    assert evaluate(*files) == whole
    assert whole.counts["n_missing"] == 5


def test_the_measures_are_those_of_bench_measures(tmp_path):
    chance = random.Random(3)
    grades = {f"d{number}": chance.randint(0, 3) for number in range(25)}
    order = chance.sample(sorted(grades), 20)
    done = evaluate(*write(tmp_path, "columns", {"q": grades}, {"q": {d: -float(i) for i, d in enumerate(order)}}))
    gains = [float(grades[d]) for d in order]
    positive = [float(grade) for grade in grades.values() if grade > 0]
    none = [False] * len(order)
    judged = Judged(gains, [int(gain > 0) for gain in gains], positive, none, none, none, 0)
    theirs = {measure.key: measure.value(judged) for measure in MEASURES if measure.key in KEYS}
    assert len(theirs) == len(KEYS) == 5 * len(CUTOFFS) + 1
    assert {key: value(done, key) for key in KEYS} == pytest.approx(theirs, abs=1e-9)


def test_beir_qrels_are_known_by_their_header(tmp_path):
    qrels = text(tmp_path / "test.tsv", "query-id\tcorpus-id\tscore", "q 1\td 1\t2", "q 1\td2\t0")
    run = rows(tmp_path / "run.jsonl", {"query_id": "q 1", "doc_ids": ["d2", "d 1"], "scores": [2, 1]})
    assert value(evaluate(qrels, run), "MRR") == 0.5


def test_qrels_may_stand_in_any_order(tmp_path):
    qrels = text(tmp_path / "qrels", "q1 0 a 1", "q2 0 a 1", "q1\t0\tb\t2.0")
    run = text(tmp_path / "run", "q1 Q0 a 1 2 t", "q1 Q0 b 2 1 t", "q2 Q0 a 1 1 t")
    assert value(evaluate(qrels, run), "recall@1") == 0.75


def test_a_last_line_without_a_newline_counts(tmp_path):
    qrels = text(tmp_path / "qrels", "q1 0 a 1")
    run = tmp_path / "run"
    run.write_bytes(b"q1 Q0 b 1 2 t\r\nq1 Q0 a 2 1 t")
    assert value(evaluate(qrels, run), "MRR") == 0.5


def test_a_line_without_hits_is_an_answer_of_nothing(tmp_path):
    qrels = text(tmp_path / "qrels", "q1 0 a 1")
    done = evaluate(qrels, rows(tmp_path / "run.jsonl", {"query_id": "q1", "hits": []}))
    assert done.measures["MRR"]["of"] == "0.0/1, n=1"
    assert done.counts["n_missing"] == 0


def test_large_strings_and_integer_scores_are_read(tmp_path):
    qrels = table(tmp_path / "q.parquet", pa.large_string(), query_id=["q"], doc_id=["a"], relevance=[2.0])
    run = table(tmp_path / "r.parquet", pa.large_string(), query_id=["q", "q"], doc_id=["b", "a"], score=[3, 1])
    assert value(evaluate(qrels, run), "MRR") == 0.5


class TestCommand:
    def run(self, *options):
        return CliRunner().invoke(app, ["evaluate", *map(str, options)])

    def test_prints_value_numerator_denominator_and_n(self, tmp_path):
        qrels, run = write(tmp_path, "trec", E1_QRELS, E1_RUN)
        shown = self.run("--qrels", qrels, "--run", run)
        assert shown.exit_code == 0, shown.output
        assert "recall@10  0.5000  1.0/2, n=1" in shown.output.splitlines()
        assert "2 judged queries" in shown.output
        assert "1 are missing" in shown.output

    def test_json(self, tmp_path):
        qrels, run = write(tmp_path, "columns", E1_QRELS, E1_RUN)
        shown = json.loads(self.run("--qrels", qrels, "--run", run, "--json").output)
        assert list(shown["measures"]) == sorted(KEYS)
        assert shown["counts"]["n_missing"] == 1

    def test_per_query_as_tsv_has_every_judged_query(self, tmp_path):
        qrels, run = write(tmp_path, "parquet", E1_QRELS, E1_RUN)
        self.run("--qrels", qrels, "--run", run, "--per-query", tmp_path / "per.tsv")
        header, *lines = (line.split("\t") for line in (tmp_path / "per.tsv").read_text().splitlines())
        assert header == ["query_id", "answered", *KEYS]
        assert [line[:2] for line in lines] == [["q1", "1"], ["q2", "0"]]
        assert lines[0][header.index("nDCG@10")] == "0.5"

    def test_a_mistake_is_a_sentence_and_exit_code_1(self, tmp_path):
        qrels, run = write(tmp_path, "trec", E1_QRELS, {"q7": {"d": 1.0}, "q1": {"d1": 1.0}})
        failed = self.run("--qrels", qrels, "--run", run, "--per-query", tmp_path / "per.jsonl")
        assert failed.exit_code == 1
        assert "error: 1 queries of" in failed.output
        assert not (tmp_path / "per.jsonl").exists()


class TestFingerprints:
    IDS = ("a", "b", "ab", "abcdefgh", "abcdefghi", "a" * 16, "a" * 17, "ü" * 9, "0", "00")

    def test_equal_exactly_where_strings_are_even_in_a_slice(self):
        ids = pa.array([*self.IDS, *self.IDS]).slice(3)
        numbers = fingerprints(ids).tolist()
        assert len(set(numbers)) == len(self.IDS)
        assert numbers[0] == numbers[len(self.IDS)]

    def test_long_strings_are_told_apart(self):
        ids = pa.array(["a" * 70 + "1", "a" * 70 + "2", "a" * 70 + "1"])
        first, second, third = fingerprints(ids).tolist()
        assert first == third != second

    def test_two_ids_with_one_fingerprint_are_not_taken_for_each_other(self, tmp_path, monkeypatch):
        qrels, run = {"q": {"b": 1, "z": 1}, "r": {"a": 1}}, {"q": {"a": 3.0, "b": 2.0}, "r": {"b": 2.0, "a": 1.0}}
        files = write(tmp_path, "parquet", qrels, run)
        expected = evaluate(*files)
        monkeypatch.setattr(parquet, "fingerprints", lambda ids: np.zeros(len(ids), np.uint64))
        assert evaluate(*files) == expected
        assert value(expected, "MRR") == 0.5
