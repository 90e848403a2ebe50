"""`bench custom evaluate`: figures against pytrec_eval, the draw of queries, and results that are never stale."""

import json
import random
import tempfile
from math import log
from pathlib import Path

import pytest
import pytrec_eval
from custom_sets import HEADER, QRELS, QUERIES, SOUND, jsonl, with_line, write
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from bench.cli import app
from bench.custom import results
from bench.custom.bm25 import Bm25, Settings
from bench.custom.check import check
from bench.custom.convert.options import Options as ConvertOptions
from bench.custom.convert.run import run as convert
from bench.custom.evaluate import Options, Outcome, Refused, drawn, evaluate
from bench.custom.rows import Text
from bench.custom.scoring import score
from bench.errors import BenchError
from bench.rankings.evaluate import evaluate as evaluate_run

THEIRS = {"recall": "recall_{}", "nDCG": "ndcg_cut_{}", "P": "P_{}", "MAP": "map_cut_{}"}
ASKED = {"recall.1,3,5,10", "ndcg_cut.1,3,5,10", "P.1,3,5,10", "map_cut.1,3,5,10", "recip_rank"}
THREE = {
    "corpus.jsonl": '{"_id":"a","text":"北京 是 首都"}\n{"_id":"b","text":"上海 靠 海"}\n{"_id":"c","text":"茶"}\n',
    "queries.jsonl": '{"_id":"1","text":"首都"}\n{"_id":"2","text":"海"}\n{"_id":"3","text":"茶"}\n',
    "qrels/test.tsv": HEADER + "1\ta\t1\n2\tb\t1\n3\tc\t1\n",
}


def scored(
    folder: Path,
    outputs: Path,
    *,
    system: str = "bm25",
    k1: float = 1.2,
    b: float = 0.75,
    splits: tuple[str, ...] = (),
    limit: int | None = None,
    overwrite: bool = False,
) -> Outcome:
    return evaluate(folder, Options(system, k1, b, list(splits), limit, overwrite), outputs)


def trec(path: Path, value: int) -> dict:
    read: dict = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split()
        read.setdefault(fields[0], {})[fields[2]] = float(fields[value]) if value == 4 else int(fields[value])
    return read


def assert_pytrec_eval_agrees(outcome: Outcome, split: str) -> None:
    """Per query and on the mean, on the exported files."""
    qrels, run = trec(outcome.folder / f"qrels.{split}.trec", 3), trec(outcome.folder / "run.trec", 4)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, ASKED).evaluate(run)
    lines = (outcome.folder / "per_query.jsonl").read_text(encoding="utf-8").splitlines()
    ours = {row["query_id"]: row["scores"] for row in map(json.loads, lines) if row["split"] == split}
    assert ours.keys() == qrels.keys()
    means = dict.fromkeys(outcome.result["splits"][split], 0.0)
    for query_id, values in ours.items():
        for key, value in values.items():
            name, _, cutoff = key.partition("@")
            of_query = theirs.get(query_id, {})
            expected = of_query.get(THEIRS[name].format(cutoff) if name in THEIRS else "recip_rank", 0.0)
            if name == "MRR" and cutoff and expected < 1 / int(cutoff) - 1e-9:
                expected = 0.0
            assert value == pytest.approx(expected, abs=1e-9), (query_id, key)
            means[key] += expected / len(qrels)
    for key, mean in means.items():
        assert outcome.result["splits"][split][key]["value"] == pytest.approx(mean, abs=1e-9), key


def test_cranfield_from_trec_to_figures(mirror: Path, tmp_path: Path) -> None:
    files = {"corpus": "cran.all.1400.xml", "queries": "cran.qry.xml", "qrels": "cranqrel.trec.txt"}
    sources = [f"{role}={mirror / 'cranfield' / name}" for role, name in files.items()]
    by_num = convert(sources, tmp_path / "num", ConvertOptions.parse((), (), None, "double", "num"))
    assert by_num.hints[0].startswith("73 of 225 judged query ids are not among the 225 queries, but all are positions")
    assert check(tmp_path / "num").counts["unknown_query"] == 611
    cranfield = tmp_path / "cranfield"
    made = convert(sources, cranfield, ConvertOptions.parse((), (), None, "double", "position"))
    assert made.written == {"corpus.jsonl": 1400, "queries.jsonl": 225, "qrels/test.tsv": 1837}
    assert made.readings[0].left_out() == ["author", "bib"]
    report = check(cranfield)
    assert report.counts == {"empty_document": 2, "shared_id": 1}
    assert [finding.line for finding in report.findings] == [471, 995, 1]
    assert report.figures["splits"]["test"]["scores"] == {"0": 225, "1": 1611, "3": 1}
    outcome = scored(cranfield, tmp_path / "outputs")
    assert_pytrec_eval_agrees(outcome, "test")
    ndcg = outcome.result["splits"]["test"]["nDCG@10"]
    assert (ndcg["denominator"], ndcg["n"]) == (225, 225)
    assert ndcg["value"] == pytest.approx(0.3596, abs=5e-4)
    assert ndcg["interval"][0] < ndcg["value"] < ndcg["interval"][1]
    again = evaluate_run(outcome.folder / "qrels.test.trec", outcome.folder / "run.trec")
    for key, record in again.measures.items():
        assert record["of"] == outcome.result["splits"]["test"][key]["of"]


def test_mtrag_without_its_corpus_is_refused(mirror: Path, tmp_path: Path) -> None:
    tasks = mirror / "mtrag" / "mtrag-human" / "retrieval_tasks" / "clapnq"
    queries, qrels = ((tasks / name).read_bytes() for name in ("clapnq_questions.jsonl", "qrels/dev.tsv"))
    write(tmp_path, {"corpus.jsonl": None, "queries.jsonl": queries, "qrels/test.tsv": None, "qrels/dev.tsv": qrels})
    result = CliRunner().invoke(app, ["custom", "check", str(tmp_path)])
    assert result.exit_code == 1
    assert "qrels/dev.tsv: all 578 judgements (100.0 %) point to an unknown document" in result.stdout
    result = CliRunner().invoke(app, ["custom", "evaluate", str(tmp_path), "--outputs", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert "is not scored: 579 errors" in result.stderr
    assert "all 578 judgements (100.0 %)" in result.stderr
    assert result.stdout == ""
    assert not (tmp_path / "out").exists()


def test_three_documents_in_chinese_words_run_end_to_end(tmp_path: Path) -> None:
    outcome = scored(write(tmp_path / "set", THREE), tmp_path / "out")
    record = outcome.result["splits"]["test"]["recall@10"]
    assert record["of"] == "3.0/3, n=3"
    assert record["interval"] == [1.0, 1.0]
    assert [warning.split()[:3] for warning in outcome.result["warnings"]] == [["W364", "saturated", "qrels/test.tsv"]]


def test_a_set_with_errors_is_refused_and_old_results_stay(tmp_path: Path) -> None:
    folder = write(tmp_path / "set")
    first = scored(folder, tmp_path / "out")
    write(folder, {"qrels/test.tsv": QRELS + "q0\tnone\t1\n"})
    with pytest.raises(Refused, match="is not scored: 1 errors") as caught:
        scored(folder, tmp_path / "out")
    assert caught.value.report.counts["unknown_document"] == 1
    assert (first.folder / "result.json").is_file()


def test_a_result_is_kept_only_under_the_same_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, outputs = write(tmp_path / "set"), tmp_path / "out"
    first = scored(folder, outputs)
    assert not first.reused
    kept = scored(folder, outputs)
    assert kept.reused
    assert kept.result == json.loads((first.folder / "result.json").read_text()) == first.result
    assert not scored(folder, outputs, overwrite=True).reused
    assert scored(folder, outputs, k1=0.9).changed == ["settings"]
    assert scored(folder, outputs, limit=3).changed == ["settings"]
    write(folder, {"qrels/test.tsv": QRELS.replace("d1\t1", "d1\t2")})
    assert scored(folder, outputs, limit=3).changed == ["data"]
    monkeypatch.setattr(results, "code_digest", lambda places: "another scorer")
    assert scored(folder, outputs, limit=3).changed == ["code"]
    (first.folder / "result.json").write_text("{", encoding="utf-8")
    with pytest.raises(BenchError, match=r"result\.json is not valid JSON"):
        scored(folder, outputs, limit=3)
    assert not scored(folder, outputs, limit=3, overwrite=True).reused


def test_the_limit_draws_queries_and_leaves_the_corpus_whole(tmp_path: Path) -> None:
    folder = write(tmp_path / "set")
    whole, limited = scored(folder, tmp_path / "a"), scored(folder, tmp_path / "b", limit=7)
    assert limited.result["splits"]["test"]["P@1"]["denominator"] == 7
    run, of_all = trec(limited.folder / "run.trec", 4), trec(whole.folder / "run.trec", 4)
    assert len(run) == 7
    assert all(of_all[query_id] == hits for query_id, hits in run.items()), "the same hits as among all queries"
    judged = {f"q{number}": {"d": 1.0} for number in range(50)}
    assert [*drawn(judged, 7)] == [*drawn(judged, 20)][:7]
    assert {*drawn(judged, 7)} == run.keys()


def test_splits_are_scored_apart_and_chosen_by_name(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", {"qrels/dev.tsv": HEADER + "q0\td0\t1\nq1\td2\t3\nq1\td1\t1\n"})
    outcome = scored(folder, tmp_path / "out")
    assert {name: made["P@1"]["denominator"] for name, made in outcome.result["splits"].items()} == {
        "dev": 2,
        "test": 50,
    }
    for split in ("dev", "test"):
        assert_pytrec_eval_agrees(outcome, split)
    assert [*scored(folder, tmp_path / "out", splits=("dev",)).result["splits"]] == ["dev"]
    with pytest.raises(BenchError, match="has no split 'train'; it has dev, test"):
        scored(folder, tmp_path / "out", splits=("train",))


def test_a_query_without_a_known_word_counts_as_0(tmp_path: Path) -> None:
    asked = with_line("queries.jsonl", 3, jsonl([{"_id": "q2", "text": "xyzzy"}]))
    outcome = scored(write(tmp_path / "set", asked), tmp_path / "out")
    record = outcome.result["splits"]["test"]["MRR"]
    assert (record["denominator"], record["n"]) == (50, 49)
    assert_pytrec_eval_agrees(outcome, "test")


def test_fractions_are_gains_and_are_not_exported_cut(tmp_path: Path) -> None:
    qrels = QRELS.replace("q1\td1\t1\n", "q1\td1\t0.5\nq1\td2\t0.25\n")
    outcome = scored(write(tmp_path / "set", {"qrels/test.tsv": qrels}), tmp_path / "out")
    assert outcome.result["trec"] == "a score is a fraction, which trec_eval would cut off"
    assert not [*outcome.folder.glob("*.trec")]
    made = score({"q": {"a": 0.5, "b": 0.25, "c": -1.0}}, {"q": [("b", 2.0), ("c", 1.5), ("a", 1.0)]})
    assert made.measures["nDCG@3"]["value"] == pytest.approx(
        (0.25 + 0.5 / 2) / (0.5 + 0.25 / 1.584962500721156), abs=1e-9
    )
    assert "interval" not in made.measures["nDCG@3"], "one query has no interval"


def test_ids_with_blanks_leave_the_trec_run_out(tmp_path: Path) -> None:
    files = {name: content.replace("d7", "d 7") for name, content in SOUND.items()}
    outcome = scored(write(tmp_path / "set", files), tmp_path / "out")
    assert outcome.result["trec"] == "an id has blanks within"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"system": "dense"}, "--system dense; allowed: bm25"),
        ({"limit": 0}, "--limit 0; allowed: 1 or more"),
        ({"k1": -1.0}, "--k1 -1 --b 0.75; allowed"),
        ({"b": float("nan")}, "--k1 1.2 --b nan; allowed"),
    ],
)
def test_options_that_are_none(tmp_path: Path, options: dict, message: str) -> None:
    with pytest.raises(BenchError, match=message):
        scored(write(tmp_path / "set"), tmp_path / "out", **options)


def test_ties_are_ordered_by_id_descending_and_settled_at_the_cut() -> None:
    documents = [Text(0, name, "", "same words") for name in ("b", "d", "a", "c")]
    assert [name for name, _ in Bm25(documents, Settings(1.2, 0.75, 3)).answer("words")] == ["d", "c", "b"]
    assert Bm25([Text(0, "a", "", "--")], Settings(1.2, 0.75, 3)).answer("words") == []
    titled = Bm25([Text(0, "a", "kettle", "x"), Text(0, "b", "", "y")], Settings(1.2, 0.75, 3))
    assert [name for name, _ in titled.answer("Kettle")] == ["a"]


def test_scores_are_those_of_bm25() -> None:
    """Lucene's variant by hand: idf ln(1 + (N - n + 0.5) / (n + 0.5)), tf / (tf + k1 (1 - b + b length / mean))."""
    texts = {"a": "oil", "b": "pump pump seal", "c": "oil seal", "d": "pump oil"}
    hits = Bm25([Text(0, name, "", text) for name, text in texts.items()], Settings(1.2, 0.75, 3)).answer("seal pump")
    expected = []
    for name, text in texts.items():
        words = text.split()
        length = 1.2 * (1 - 0.75 + 0.75 * len(words) / 2)
        parts = [words.count(word) / (words.count(word) + length) * log(1 + 2.5 / 2.5) for word in ("seal", "pump")]
        expected.append((name, sum(parts)))
    best = sorted(expected, key=lambda hit: hit[1], reverse=True)
    assert [name for name, _ in hits[:1]] == ["b"]
    assert dict(hits) == pytest.approx({name: value for name, value in best if value}, abs=1e-4)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 1_000))
def test_the_order_of_lines_changes_no_figure(seed: int) -> None:
    shuffle = random.Random(seed).shuffle
    shuffled = {}
    for name, content in SOUND.items():
        lines = content.splitlines(keepends=True)
        head = lines[:1] if name.endswith("tsv") else []
        body = lines[len(head) :]
        shuffle(body)
        shuffled[name] = "".join(head + body)
    with tempfile.TemporaryDirectory() as name:
        first, second = (
            scored(write(Path(name) / which, files), Path(name) / "out", limit=20)
            for which, files in (("a", {}), ("b", shuffled))
        )
        assert second.result["splits"] == first.result["splits"]
        for file in ("run.trec", "qrels.test.trec", "per_query.jsonl"):
            assert (second.folder / file).read_bytes() == (first.folder / file).read_bytes()


def test_what_is_printed(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", {"queries.jsonl": jsonl([*QUERIES, {"_id": "q50", "text": "more"}])})
    command = ["custom", "evaluate", str(folder), "--outputs", str(tmp_path / "out")]
    first = CliRunner().invoke(app, command)
    assert first.exit_code == 0
    assert "the check warns: unjudged_query 1" in first.stderr
    table = [line.split() for line in first.stdout.splitlines()]
    assert table[0] == ["split", "test"]
    assert {row[0] for row in table} >= {
        f"{name}@{k}" for name in ("recall", "nDCG", "P", "MAP", "MRR") for k in (1, 3, 5, 10)
    }
    assert "kept result" in CliRunner().invoke(app, command).stderr
    assert json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)["set"] == "set"
