"""`bench score`: a run of one's own, checked whole and scored without DVC."""

import json
import shutil
from hashlib import sha256

import pytest
from typer.testing import CliRunner

from bench.cli import app
from bench.errors import BenchError
from bench.jsonl import encode, read_rows
from bench.normalize.run import normalize
from bench.own.check import SHOWN
from bench.own.score import score_own, show, write
from bench.records import Scored
from bench.retrieve import retrieve
from bench.score.run import read_queries, score
from suites import locomo, make_starter, make_suite


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    built = make_suite(
        tmp_path_factory.mktemp("suite"), locomo(), twins={"other_holder": 1.0, "before_observation": 1.0}
    )
    normalize(built)
    return built


@pytest.fixture
def run(tmp_path):
    """A function that writes `lines`, objects or raw text, as a file of a run, and returns the run's folder."""

    def write_file(lines, name="conversation.jsonl", **beside):
        folder = tmp_path / "mine"
        folder.mkdir(exist_ok=True)
        text = b"".join((line if isinstance(line, bytes) else encode(line)) + b"\n" for line in lines)
        (folder / name).write_bytes(text)
        for stem, content in beside.items():
            (folder / f"{stem}.json").write_text(json.dumps(content))
        return folder

    return write_file


@pytest.fixture
def starter_run(tmp_path):
    """The command that scores pdf answers alone on the starter suite."""
    starter = make_starter(tmp_path / "starter")
    (tmp_path / "pages").mkdir()
    shutil.copy(starter.runs / "bm25" / "pdf.jsonl", tmp_path / "pages")
    return ["score", "--run", str(tmp_path / "pages"), "--suite", str(starter.directory)]


def hit(source_id, turn, score=1.0, strong=True):
    return {"source_id": source_id, "region": {"turn": turn}, "score": score, "strong": strong}


def perfect(suite):
    return [
        {"query_id": query.query_id, "hits": [hit(gold.source_id, **gold.region) for gold in query.gold]}
        for query in read_queries(suite).values()
    ]


def one(suite):
    """An answerable query of dev."""
    return next(query for query in read_queries(suite).values() if query.split == "dev" and not query.unanswerable)


def command(suite, folder, *more):
    return CliRunner().invoke(app, ["score", "--run", str(folder), "--suite", str(suite.directory), *more])


def snapshot(folder):
    return {path: sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}


def test_the_table_shows_values_with_n_and_denominators(suite, run):
    done = command(suite, run(perfect(suite)))
    assert done.exit_code == 0, done.output
    answerable = [q for q in read_queries(suite).values() if q.split == "dev" and not q.unanswerable]
    row = next(line for line in done.stdout.splitlines() if line.startswith("all"))
    assert row.split()[1:5] == [str(len(answerable)), "/", str(len(answerable)), "1.000"]
    assert "mine, dev" in done.stdout
    assert "acceptance" not in done.stdout


def test_a_file_under_any_name_holds_all_modalities(suite, run):
    folder = run(perfect(suite), name="answers-of-today.jsonl")
    scores = score_own(suite, folder / "answers-of-today.jsonl", "dev").scores
    assert scores.document["conversation"]["dev"]["recall@10"]["value"] == 1


def test_a_misnamed_file_in_a_folder_is_an_error_and_not_a_zero(suite, run):
    run(perfect(suite))
    with pytest.raises(BenchError, match=r"holds chats\.jsonl; a run holds pdf\.jsonl, .*atoms\.jsonl"):
        score_own(suite, run([], name="chats.jsonl"), "dev")


def test_a_modality_without_any_answer_is_said(starter_run):
    shown = CliRunner().invoke(app, starter_run).stdout
    assert "no line for any query of image, ui_screenshot, video, code, conversation" in shown


def test_a_folder_without_a_run_is_an_error(suite, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(BenchError, match="holds no run; a run holds"):
        score_own(suite, tmp_path / "empty", "dev")


def test_a_chunk_over_several_turns_counts_for_the_gold_in_it(suite, run):
    query = one(suite)
    (gold,) = query.gold
    wide = [{"turn": turn} for turn in (1, 2, 3)]
    run([{"atom_id": "c1", "source_id": gold.source_id, "regions": wide}], name="atoms.jsonl")
    folder = run([{"query_id": query.query_id, "hits": [{"atom_id": "c1", "score": 2.5, "strong": True}]}])
    scored = {line.query_id: line for line in score_own(suite, folder, "dev").scores.per_query}
    assert scored[query.query_id].scores["recall@1"] == 1


def test_every_fault_is_told_at_once_with_file_and_line(suite, run):
    query, good = one(suite), perfect(suite)
    source = query.gold[0].source_id
    faulty = [
        b'{"query_id": "x", "hits": [{"score": NaN, "strong": true, "source_id": "s"}]}',
        b"[1, 2",
        {"query_id": "nobody", "hits": []},
        {"query_id": query.query_id, "hits": [hit("nowhere", 1), hit(source, 0), {"atom_id": "c", "score": "high"}]},
        {"query_id": query.query_id, "hits": [hit("nowhere", 1), hit(source, 1), hit(source, 1, 0.5)]},
        {"query_id": query.query_id, "hits": [{"atom_id": "c9", "score": 1.0, "strong": False}]},
        good[0],
        good[0],
    ]
    run([{"atom_id": "c1", "source_id": "nowhere", "regions": []}], name="atoms.jsonl")
    run([good[1]], name="pdf.jsonl")
    with pytest.raises(BenchError) as told:
        score_own(suite, run(faulty), "dev")
    words = str(told.value)
    for expected in (
        "conversation.jsonl:1: not valid JSON: NaN is not JSON",
        "conversation.jsonl:2: not valid JSON",
        "conversation.jsonl:3: 'nobody' is no query of this suite",
        "conversation.jsonl:4: $.hits[1].region.turn: 0 is less than the minimum of 1",
        "conversation.jsonl:4: $.hits[2].score: 'high' is not of type 'number'",
        "conversation.jsonl:4: $.hits[2]: 'strong' is a required property",
        "conversation.jsonl:5: hits[0]: source 'nowhere' is not in the conversation corpus",
        "conversation.jsonl:5: " + f'{source}#{{"turn":1}} is returned twice',
        "conversation.jsonl:6: hits[0]: atom 'c9' is not in the atoms.jsonl",
        "conversation.jsonl:6: query " + f"{query.query_id!r} has a line already, conversation.jsonl:5",
        "conversation.jsonl:8: query",
        "atoms.jsonl:1: $.regions: [] ",
        "pdf.jsonl:1: " + f"{good[1]['query_id']!r} is a conversation query; allowed: in conversation.jsonl",
    ):
        assert expected in words, expected


def test_the_list_of_faults_is_bounded_and_counts_the_rest(suite, run):
    lines = [{"query_id": f"q{number}", "hits": []} for number in range(SHOWN + 30)]
    done = command(suite, run(lines))
    assert done.exit_code == 1
    assert f"{SHOWN + 30} faults" in done.stderr
    assert done.stderr.rstrip().endswith("and 30 more")
    assert "Traceback" not in done.output


def test_out_holds_scores_and_provenance_and_the_suite_stays_as_it_was(suite, run, tmp_path):
    before = snapshot(suite.directory)
    folder = run(perfect(suite), system={"reads": "any"})
    done = command(suite, folder, "--out", str(tmp_path / "out"), "--json")
    assert done.exit_code == 0, done.output
    assert snapshot(suite.directory) == before
    document = json.loads((tmp_path / "out" / "scores.json").read_text())
    assert json.loads(done.stdout)["scores"] == document
    rows = list(read_rows(tmp_path / "out" / "per_query.jsonl", Scored))
    assert {row.query_id for row in rows} == {q.query_id for q in read_queries(suite).values() if q.split == "dev"}
    provenance = json.loads((tmp_path / "out" / "provenance.json").read_text())
    run_file = (folder / "conversation.jsonl").read_bytes()
    assert provenance["run"]["conversation.jsonl"]["sha256"] == sha256(run_file).hexdigest()
    assert set(provenance["run"]) == {"conversation.jsonl", "system.json"}
    sets = (suite.sets / "conversation.jsonl").read_bytes()
    assert provenance["data"]["sets/conversation.jsonl"]["sha256"] == sha256(sets).hexdigest()
    assert provenance["split"] == "dev"


@pytest.mark.parametrize("place", ["scores/mine", "metrics", "."])
def test_out_never_lies_in_the_suite(suite, run, place):
    own = score_own(suite, run(perfect(suite)), "dev")
    before = snapshot(suite.directory)
    with pytest.raises(BenchError, match="lies within the suite"):
        write(suite, own, suite.directory / place)
    assert snapshot(suite.directory) == before


def test_only_dev_is_scored_unless_test_is_asked_for(suite, run):
    lines = perfect(suite)
    assert set(score_own(suite, run(lines), "dev").scores.document["all"]) == {"dev"}
    assert set(score_own(suite, run(lines), "test").scores.document["all"]) == {"test"}
    assert set(score_own(suite, run(lines), "all").scores.document["all"]) == {"dev", "test"}
    with pytest.raises(BenchError, match="split 'train'; allowed: dev, test, all"):
        score_own(suite, run(lines), "train")


def test_acceptance_passes_fails_or_cannot_be_said(suite, run):
    lines = perfect(suite)
    passed = command(suite, run(lines), "--split", "all")
    assert passed.exit_code == 0
    assert "acceptance of mine: pass" in passed.stdout
    assert "recall@10 >= 0.9: 1.0000" in passed.stdout
    failed = command(suite, run([{**line, "hits": []} for line in lines]), "--split", "test")
    assert failed.exit_code == 1
    assert "acceptance of mine: fail" in failed.stdout


def test_acceptance_without_twins_cannot_be_said(run, tmp_path):
    built = make_suite(tmp_path / "s", locomo(), twins={"other_holder": 0.0, "before_observation": 0.0})
    normalize(built)
    done = command(built, run(perfect(built)), "--split", "test", "--json")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["acceptance"]["outcome"] == "cannot-compare"


def test_a_line_that_abstains_and_a_missing_line_differ(suite, run):
    lines = perfect(suite)
    unanswerable = {query.query_id for query in read_queries(suite).values() if query.unanswerable}
    left_out = [line for line in lines if line["query_id"] not in unanswerable]
    whole = score_own(suite, run(lines), "dev").scores.document["all"]["dev"]["false_recall"]
    partial = score_own(suite, run(left_out), "dev").scores.document["all"]["dev"]["false_recall"]
    assert (whole["value"], partial["value"]) == (0, 1)
    assert (whole["n"], partial["n"]) == (whole["denominator"], 0)


def test_latency_beside_the_run_is_shown(suite, run, capsys):
    folder = run(perfect(suite), latency={"all": {"n": 40, "p50_ms": 1.25, "p95_ms": 9.5}, "conversation": {"n": 3}})
    own = score_own(suite, folder, "dev")
    show(suite, own, as_json=False)
    shown = capsys.readouterr().out
    assert "latency: all p50 1.250 ms, p95 9.500 ms (n=40); conversation too few to say (n=3)" in shown
    show(suite, own, as_json=True)
    assert json.loads(capsys.readouterr().out)["latency"]["all"]["p50_ms"] == 1.25
    assert "latency" not in own.scores.document
    run(perfect(suite), latency={"all": {"p50": 1}})
    with pytest.raises(BenchError, match=r"latency\.json: .*allowed: "):
        score_own(suite, folder, "dev")


def test_the_stage_and_the_command_give_the_same_bytes(suite, tmp_path):
    retrieve(suite)
    score(suite)
    write(suite, score_own(suite, suite.runs / "bm25", "dev"), tmp_path / "out")
    stage = (suite.scores / "bm25" / "per_query.jsonl", suite.metrics / "bm25" / "scores.json")
    for path in stage:
        assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()
