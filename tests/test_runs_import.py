"""`bench runs import` and `export`: other tools' results in, and out so that pytrec_eval can check us."""

import json
from collections import Counter
from math import fsum
from typing import NamedTuple

import pytest
import pytrec_eval
from typer.testing import CliRunner

from bench.cli import app
from bench.errors import BenchError
from bench.exchange.docids import parse_docid
from bench.exchange.exports import export_run
from bench.exchange.imports import import_run
from bench.exchange.read import read_json, read_trec
from bench.jsonl import read_rows, write_rows
from bench.normalize.run import normalize
from bench.own.score import score_own
from bench.records import Atom, CorpusHead, RunLine
from bench.retrieve import retrieve
from bench.root import ROOT
from bench.score.run import read_queries
from bench.suite import Suite
from suites import locomo, make_starter, make_suite

THEIRS = {
    "nDCG@10": "ndcg_cut_10",
    "recall@10": "recall_10",
    "MRR": "recip_rank",
    "MAP@10": "map_cut_10",
    "P@10": "P_10",
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    built = make_suite(tmp_path_factory.mktemp("suite"), locomo())
    normalize(built)
    retrieve(built)
    return built


@pytest.fixture(scope="module")
def starter(tmp_path_factory):
    return make_starter(tmp_path_factory.mktemp("starter"))


@pytest.fixture
def answer(suite):
    """An answerable dev query, and the docid of its gold."""
    query = next(q for q in read_queries(suite).values() if q.split == "dev" and not q.unanswerable)
    return query.query_id, f'{query.gold[0].source_id}#{{"turn":{query.gold[0].region["turn"]}}}'


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def taken(suite, path, hits, out, **options):
    return import_run(path, hits, suite, out, options.get("strong_from"), options.get("atoms"))


def trec(suite, path, out, **options):
    return taken(suite, path, read_trec(path), out, **options)


def nested(suite, path, out, **options):
    return taken(suite, path, read_json(path), out, **options)


def lines_of(folder, modality="conversation"):
    return {line.query_id: line.hits for line in read_rows(folder / f"{modality}.jsonl", RunLine)}


class TestImport:
    def test_trec_lines_in_any_order(self, suite, answer, tmp_path):
        query_id, docid = answer
        other = docid.replace('"turn":2', '"turn":1')
        path = written(tmp_path / "r.run", f"{query_id} Q0 {other} 1 0.5 me\n{query_id} Q0 {docid} 2 2.5 me\n")
        done = trec(suite, path, tmp_path / "out", strong_from=1.0)
        assert (done.lines, done.hits, done.strong) == ({"conversation": 1}, 2, 1)
        hits = lines_of(tmp_path / "out")[query_id]
        assert [(hit.region, hit.score, hit.strong) for hit in hits] == [
            ({"turn": 1}, 0.5, False),
            ({"turn": 2}, 2.5, True),
        ]
        scored = {line.query_id: line for line in score_own(suite, tmp_path / "out", "dev").scores.per_query}
        assert scored[query_id].scores["recall@1"] == 1

    @pytest.mark.parametrize("indent", [None, 2])
    def test_json_as_beir_and_ranx_write_it(self, suite, answer, tmp_path, indent):
        query_id, docid = answer
        abstains = next(key for key in read_queries(suite) if key != query_id)
        path = written(tmp_path / "r.json", json.dumps({query_id: {docid: 3}, abstains: {}}, indent=indent))
        assert nested(suite, path, tmp_path / "out").hits == 1
        assert {key: len(hits) for key, hits in lines_of(tmp_path / "out").items()} == {query_id: 1, abstains: 0}

    def test_keys_and_blanks_of_a_region_may_be_written_as_one_likes(self, suite, answer, tmp_path):
        query_id, docid = answer
        loose = docid.replace(":2}", " : 2 }")
        nested(suite, written(tmp_path / "r.json", json.dumps({query_id: {loose: 3}})), tmp_path / "out")
        assert lines_of(tmp_path / "out")[query_id][0].region == {"turn": 2}
        both = written(tmp_path / "b.json", json.dumps({query_id: {loose: 3, docid: 2}}))
        with pytest.raises(BenchError, match=r"b\.json:1: query .* a place may stand in a ranking once"):
            nested(suite, both, tmp_path / "out2")

    def test_a_region_list_becomes_an_atom(self, suite, answer, tmp_path):
        query_id, docid = answer
        source = docid.partition("#")[0]
        chunk = f'{source}#[{{"turn":1}},{{"turn":2}}]'
        path = written(tmp_path / "r.run", f"{query_id} Q0 {chunk} 1 2.5 me\n")
        trec(suite, path, tmp_path / "out")
        (atom,) = read_rows(tmp_path / "out" / "atoms.jsonl", Atom)
        assert (atom.source_id, atom.regions) == (source, [{"turn": 1}, {"turn": 2}])
        scored = {line.query_id: line for line in score_own(suite, tmp_path / "out", "dev").scores.per_query}
        assert scored[query_id].scores["recall@1"] == 1

    def test_docids_may_be_atoms(self, suite, answer, tmp_path):
        query_id, docid = answer
        atoms = tmp_path / "chunks.jsonl"
        write_rows(atoms, [Atom("c7", docid.partition("#")[0], [{"turn": 1}, {"turn": 2}])])
        path = written(tmp_path / "r.run", f"{query_id} Q0 c7 1 2.5 me\n")
        trec(suite, path, tmp_path / "out", atoms=atoms)
        assert lines_of(tmp_path / "out")[query_id][0].atom_id == "c7"
        assert score_own(suite, tmp_path / "out", "dev").scores.document["all"]["dev"]["recall@10"]["numerator"] == 1
        bad = written(tmp_path / "bad.run", f"{query_id} Q0 c8 1 2.5 me\n")
        with pytest.raises(BenchError, match=r"bad\.run:1: 'c8' is no atom"):
            trec(suite, bad, tmp_path / "out2", atoms=atoms)

    def test_an_image_may_be_named_by_its_source_alone(self):
        heads = {
            name: CorpusHead(name, modality, "me", "2025-01-01T00:00:00Z", "d", {})
            for name, modality in (("i", "image"), ("p", "pdf"))
        }
        assert parse_docid("i", heads) == ("i", [{}])
        assert parse_docid("i#{}", heads) == ("i", [{}])
        with pytest.raises(ValueError, match="docid 'p' has no region"):
            parse_docid("p", heads)

    def test_a_source_id_may_hold_a_number_sign(self):
        heads = {"a.py#L1-L9": CorpusHead("a.py#L1-L9", "code", "me", "2025-01-01T00:00:00Z", "d", {})}
        docid = 'a.py#L1-L9#{"path":"a.py","symbol":"f"}'
        assert parse_docid(docid, heads) == ("a.py#L1-L9", [{"path": "a.py", "symbol": "f"}])

    def test_all_faults_at_once_with_file_and_line(self, suite, answer, tmp_path):
        query_id, docid = answer
        source = docid.partition("#")[0]
        text = "".join(
            f"{line}\n"
            for line in (
                f"{query_id} Q0 {docid} 1 9 me",
                f"nobody Q0 {docid} 1 9 me",
                f"{query_id} Q0 nowhere#{{}} 2 8 me",
                f"{query_id} Q0 {source} 3 7 me",
                f"{query_id} Q0 {source}#{{turn}} 4 6 me",
                f'{query_id} Q0 {source}#{{"turn":0}} 5 5 me',
                f'{query_id} Q0 {source}#{{"turn":1}} 6 nan me',
                f'{query_id} Q0 {source}#{{"turn":3}} 7 1e39 me',
                f"{query_id} Q0 {docid} 8 3 me",
            )
        )
        with pytest.raises(BenchError) as told:
            trec(suite, written(tmp_path / "r.run", text), tmp_path / "out")
        words = str(told.value)
        for expected in (
            "r.run:2: 'nobody' is no query of this suite",
            "r.run:3: source 'nowhere' is not in the corpus",
            "r.run:4: docid",
            "has no region; allowed: source_id#region",
            "r.run:5: region '{turn}' is not valid JSON",
            "r.run:6: region '{\"turn\":0}': $.regions[0].turn: 0 is less than the minimum of 1",
            "r.run:7: score nan; allowed: a finite number within float32",
            "r.run:8: score 1e+39",
            f"r.run:9: query {query_id!r} has",
        ):
            assert expected in words, expected
        assert "8 faults" in words
        assert not (tmp_path / "out").exists()

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ('{{\n"{q}": {{\n"{d}": NaN}}}}', r"r\.json:3: score nan"),
            ('{{\n"{q}": {{\n"{d}": true}}}}', r"r\.json:3: score True"),
            ('{{\n"{q}": {{\n"{d}": 1,\n"{d}": 2}}}}', r"r\.json:4: query .* a place may stand in a ranking once"),
            ('{{"{q}": {{}},\n"{q}": {{}}}}', r"r\.json:2: query .* stands there already"),
            ('{{"{q}":\n[1]}}', r"r\.json:2: '\[1\]\}}'; allowed: an object"),
            ('{{"{q}": {{"{d}": 1}}', r"r\.json:1: the end of the file; allowed: \{{qid"),
            ('{{"{q}": {{}}}}\n7', r"r\.json:2: '7'; allowed: nothing after"),
            ("[]", r"r\.json:1: '\[\]'; allowed: \{{qid"),
            ("{{}}", r"r\.json holds no query"),
        ],
    )
    def test_json_faults_name_the_line(self, suite, answer, tmp_path, text, message):
        query_id, docid = answer
        filled = text.format(q=query_id, d=docid.replace('"', '\\"'))
        with pytest.raises(BenchError, match=message.format()):
            nested(suite, written(tmp_path / "r.json", filled), tmp_path / "out")

    def test_a_hit_in_another_modality_is_an_error(self, starter, tmp_path):
        query = next(q for q in read_queries(starter).values() if q.modality == "pdf")
        turn = next(q for q in read_queries(starter).values() if q.modality == "conversation" and q.gold).gold[0]
        path = written(tmp_path / "r.run", f'{query.query_id} Q0 {turn.source_id}#{{"turn":1}} 1 1.0 me\n')
        with pytest.raises(BenchError, match="is not in the pdf corpus"):
            trec(starter, path, tmp_path / "out")

    def test_the_command(self, suite, answer, tmp_path):
        query_id, docid = answer
        path = written(tmp_path / "r.run", f"{query_id} Q0 {docid} 1 9 me\n")
        out, place = tmp_path / "out", ["--suite", str(suite.directory)]
        done = CliRunner().invoke(app, ["runs", "import", "--trec", str(path), "--out", str(out), *place])
        assert done.exit_code == 0, done.output
        assert "1 queries (conversation 1), 1 hits, 0 strong" in done.stdout
        assert "no hit is marked strong" in done.stderr
        again = CliRunner().invoke(app, ["runs", "import", "--trec", str(path), "--out", str(out), *place])
        assert again.exit_code == 1
        assert "is not empty" in again.stderr
        none = CliRunner().invoke(app, ["runs", "import", "--out", str(tmp_path / "o"), *place])
        assert "name one file" in none.stderr


class TestExport:
    def test_there_and_back_gives_the_same_scores(self, suite, tmp_path):
        export_run(suite, suite.runs / "bm25", "dev", tmp_path / "r.run", None)
        trec(suite, tmp_path / "r.run", tmp_path / "out")
        before, after = (
            {line.query_id: line for line in score_own(suite, folder, "dev").scores.per_query}
            for folder in (suite.runs / "bm25", tmp_path / "out")
        )
        hits = {query_id: line for query_id, line in before.items() if line.hits}
        assert len(hits) > 5
        for query_id, line in hits.items():
            kept = {key: value for key, value in after[query_id].scores.items() if not key.startswith("false_recall")}
            assert kept == {key: line.scores[key] for key in kept}

    def test_fractional_grades_are_multiplied_by_one_factor(self, starter, tmp_path):
        graded = {q.query_id: q for q in read_queries(starter).values() if any(g.relevance == 2.5 for g in q.gold)}
        assert graded
        done = export_run(starter, starter.runs / "bm25", "dev", tmp_path / "r.run", tmp_path / "q.qrels")
        assert done.factor == 2
        grades = Counter(line.split()[3] for line in (tmp_path / "q.qrels").read_text().splitlines())
        assert grades["2"] == max(grades.values())
        assert grades["5"] >= 1

    def test_the_command_says_what_qrels_cannot_express(self, starter, tmp_path):
        run, qrels = tmp_path / "r.run", tmp_path / "q.qrels"
        command = ["runs", "export", str(starter.runs / "bm25"), "--trec", str(run), "--qrels", str(qrels)]
        command += ["--suite", str(starter.directory)]
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0, done.output
        assert f"{run}: {len(run.read_text().splitlines()):,} hits" in done.stdout
        assert "ui_screenshot and video count overlap" in done.stderr

    @pytest.mark.parametrize("modality", ["pdf", "image", "conversation", "code"])
    def test_pytrec_eval_gives_our_numbers_on_the_starter(self, modality, starter_both):
        agree(*starter_both, lambda line: line.modality == modality, at_least=10)

    @pytest.mark.parametrize("dataset", ["locomo", "mmlongbench-doc", "cosqa"])
    def test_pytrec_eval_gives_our_numbers_on_real_queries(self, dataset, third_party_both):
        agree(*third_party_both, lambda line: line.dataset == dataset, at_least=100)


class Theirs(NamedTuple):
    """What pytrec_eval reads of an export."""

    qrels: dict
    run: dict


@pytest.fixture(scope="module")
def starter_both(starter, tmp_path_factory):
    return both(starter, tmp_path_factory.mktemp("starter"))


@pytest.fixture(scope="module")
def third_party_both(tmp_path_factory):
    suite = Suite(ROOT / "suites" / "third-party")
    if not (suite.sets / "pdf.jsonl").is_file() or not (suite.runs / "bm25" / "pdf.jsonl").is_file():
        pytest.skip("the third-party suite is not built here")
    return both(suite, tmp_path_factory.mktemp("third-party"))


def both(suite, folder):
    """Our per-query scores of the bm25 run, and the same run and its gold as exported."""
    run, qrels = folder / "r.run", folder / "q.qrels"
    export_run(suite, suite.runs / "bm25", "dev", run, qrels)
    with run.open() as hits, qrels.open() as judgements:
        exported = Theirs(pytrec_eval.parse_qrel(judgements), pytrec_eval.parse_run(hits))
    return score_own(suite, suite.runs / "bm25", "dev").scores.per_query, exported


def agree(per_query, exported, chosen, at_least):
    """Our values and pytrec_eval's are the same to 1e-9, for each query and on average."""
    ours = {line.query_id: line for line in per_query if chosen(line) and line.unanswerable is None}
    qrels = {key: judged for key, judged in exported.qrels.items() if key in ours}
    assert qrels.keys() == ours.keys()
    assert len(ours) >= at_least
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "recall.10", "recip_rank", "map_cut.10", "P.10"})
    theirs = evaluator.evaluate({key: hits for key, hits in exported.run.items() if key in ours})
    for measure, key in THEIRS.items():
        pairs = [(line.scores[measure], theirs.get(query_id, {}).get(key, 0.0)) for query_id, line in ours.items()]
        assert max(abs(mine - their) for mine, their in pairs) <= 1e-9, measure
        means = [fsum(column) / len(pairs) for column in zip(*pairs, strict=True)]
        assert means[0] == pytest.approx(means[1], abs=1e-9)
        assert means[0] > 0
