"""`bench custom check`: every rule is broken once, at a known line; and what holds for any data."""

import json
import random
import tempfile
from pathlib import Path

import pytest
from custom_sets import DOCUMENTS, HEADER, QRELS, QUERIES, SOUND, jsonl, with_line, write
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from bench.cli import app
from bench.custom import lines as reading
from bench.custom.check import check
from bench.custom.findings import RULES, shown
from bench.errors import BenchError

CORPUS, ASKED, TSV, WHOLE = "corpus.jsonl", "queries.jsonl", "qrels/test.tsv", "qrels.jsonl"


def judgement(query: object = "q0", document: object = "d0", score: object = 1) -> dict:
    return {"query-id": query, "corpus-id": document, "score": score}


def whole(*rows: dict) -> dict:
    """Judgements as qrels.jsonl: the sound ones, after these."""
    sound = [line.split("\t") for line in QRELS.splitlines()[1:]]
    others = [judgement(query, document, int(score)) for query, document, score in sound]
    return {TSV: None, WHOLE: jsonl([*rows, *others])}


FAULTS = [
    ("missing_file", {CORPUS: None}, CORPUS, 0),
    ("missing_file", {ASKED: None}, ASKED, 0),
    ("missing_file", {TSV: None}, WHOLE, 0),
    ("empty_file", {CORPUS: ""}, CORPUS, 0),
    ("empty_file", {TSV: HEADER}, TSV, 0),
    ("split_twice", {WHOLE: jsonl([judgement()])}, TSV, 0),
    ("bom", {ASKED: b"\xef\xbb\xbf" + SOUND[ASKED].encode()}, ASKED, 1),
    ("bom", {TSV: b"\xef\xbb\xbf" + QRELS.encode()}, TSV, 1),
    ("not_utf8", with_line(CORPUS, 7, b'{"_id":"d6","text":"caf\xe9"}\n'), CORPUS, 7),
    ("half_line", {CORPUS: SOUND[CORPUS] + '{"_id":"d100","te'}, CORPUS, 101),
    ("half_line", {TSV: QRELS + "q0\td"}, TSV, 102),
    ("json_array", {CORPUS: json.dumps(DOCUMENTS)}, CORPUS, 1),
    ("json_array", {ASKED: json.dumps(QUERIES, indent=1)}, ASKED, 1),
    ("invalid_json", with_line(CORPUS, 3, "{'_id': 'd2'}\n"), CORPUS, 3),
    ("invalid_json", with_line(CORPUS, 3, '{"_id":"d2","_id":"d3","text":"a"}\n'), CORPUS, 3),
    ("invalid_json", with_line(CORPUS, 3, '{"_id":"d2","text":NaN}\n'), CORPUS, 3),
    ("invalid_json", with_line(CORPUS, 3, '{"_id":"d2","text":"\\ud800"}\n'), CORPUS, 3),
    ("invalid_json", with_line(CORPUS, 3, "[" * 100_000 + "\n"), CORPUS, 3),
    ("invalid_json", with_line(CORPUS, 3, '{"metadata":' + "[" * 300 + "]" * 300 + "}\n"), CORPUS, 3),
    ("not_object", with_line(ASKED, 4, '"q3"\n'), ASKED, 4),
    ("blank_line", with_line(ASKED, 4, "\n"), ASKED, 4),
    ("blank_line", {TSV: QRELS + "\n"}, TSV, 102),
    ("tsv_without_header", {TSV: QRELS.removeprefix(HEADER)}, TSV, 1),
    ("tsv_header", {TSV: QRELS.replace(HEADER, "query\tdocument\tgrade\n")}, TSV, 1),
    ("tsv_fields", with_line(TSV, 5, "q1 0 d1 1\n"), TSV, 5),
    ("tsv_quote", with_line(TSV, 5, '"q1\td51\t0\n'), TSV, 5),
    ("field_spelling", with_line(CORPUS, 2, '{"id":"d1","text":"a"}\n'), CORPUS, 2),
    ("field_spelling", whole({"query_id": "q0", "corpus_id": "d1", "score": 0}), WHOLE, 1),
    ("field_spelling", {TSV: QRELS.replace("query-id\tcorpus-id", "query_id\tcorpus_id")}, TSV, 1),
    ("unknown_field", with_line(CORPUS, 2, '{"_id":"d1","text":"a","url":"b"}\n'), CORPUS, 2),
    ("missing_field", with_line(CORPUS, 2, '{"_id":"d1","title":"a"}\n'), CORPUS, 2),
    ("missing_field", whole({"query-id": "q0", "corpus-id": "d1"}), WHOLE, 1),
    ("id_type", with_line(ASKED, 9, '{"_id":8,"text":"a"}\n'), ASKED, 9),
    ("id_type", with_line(ASKED, 9, '{"_id":null,"text":"a"}\n'), ASKED, 9),
    ("id_type", whole(judgement(query=0)), WHOLE, 1),
    ("id_blank", with_line(ASKED, 9, '{"_id":" q8","text":"a"}\n'), ASKED, 9),
    ("id_blank", with_line(CORPUS, 9, '{"_id":"","text":"a"}\n'), CORPUS, 9),
    ("id_blank", with_line(TSV, 5, "q1\td51 \t0\n"), TSV, 5),
    ("text_type", with_line(CORPUS, 2, '{"_id":"d1","text":"a","title":null}\n'), CORPUS, 2),
    ("text_type", with_line(CORPUS, 2, '{"_id":"d1","text":["a"]}\n'), CORPUS, 2),
    ("empty_query", with_line(ASKED, 9, '{"_id":"q8","text":" "}\n'), ASKED, 9),
    ("score_type", whole(judgement(document="d1", score="1")), WHOLE, 1),
    ("score_type", whole(judgement(document="d1", score=True)), WHOLE, 1),
    ("score_type", whole(judgement(document="d1", score=10**400)), WHOLE, 1),
    ("score_type", with_line(TSV, 5, "q1\td51\tnan\n"), TSV, 5),
    ("score_type", with_line(TSV, 5, "q1\td51\t1e999\n"), TSV, 5),
    ("duplicate_id", {CORPUS: SOUND[CORPUS] + '{"_id":"d4","text":"again"}\n'}, CORPUS, 101),
    ("unknown_query", {TSV: QRELS + "q99\td1\t1\n"}, TSV, 102),
    ("unknown_document", {TSV: QRELS + "q1\td404\t1\n"}, TSV, 102),
    ("contradiction", {TSV: QRELS + "q0\td0\t2\n"}, TSV, 102),
    ("no_relevant", with_line(TSV, 2, "q0\td0\t0\n"), TSV, 2),
    ("duplicate_judgement", {TSV: QRELS + "q0\td0\t1\n"}, TSV, 102),
    ("fractional_score", with_line(TSV, 4, "q1\td1\t0.5\n"), TSV, 4),
    ("negative_score", with_line(TSV, 5, "q1\td51\t-1\n"), TSV, 5),
    ("crlf", with_line(ASKED, 2, jsonl(QUERIES[1:2]).replace("\n", "\r\n")), ASKED, 2),
    ("no_final_newline", {TSV: QRELS.rstrip("\n")}, TSV, 101),
    ("no_final_newline", {CORPUS: SOUND[CORPUS].rstrip("\n")}, CORPUS, 100),
    ("unread_file", {"corpus_2.jsonl": "{}\n"}, "corpus_2.jsonl", 0),
    ("empty_document", with_line(CORPUS, 70, '{"_id":"d69","text":""}\n'), CORPUS, 70),
    ("unjudged_query", {ASKED: SOUND[ASKED] + '{"_id":"q50","text":"and this"}\n'}, ASKED, 51),
    ("shared_id", with_line(CORPUS, 99, '{"_id":"q5","text":"a"}\n'), ASKED, 6),
    ("whitespace_in_id", {CORPUS: SOUND[CORPUS] + '{"_id":"d 100","text":"blank"}\n'}, CORPUS, 101),
    (
        "duplicate_document",
        {CORPUS: SOUND[CORPUS] + '{"_id":"x","title":"PART  3","text":"Valve number 3"}\n'},
        CORPUS,
        101,
    ),
    ("duplicate_query", with_line(ASKED, 9, '{"_id":"q8","text":"Which valve is number 2"}\n'), ASKED, 9),
    ("few_documents", {CORPUS: jsonl(DOCUMENTS[:99])}, CORPUS, 0),
    ("few_queries", {"qrels/dev.tsv": HEADER + "q0\td0\t1\nq0\td1\t0\n"}, "qrels/dev.tsv", 0),
    ("no_negatives", {TSV: QRELS.replace("\t0\n", "\t2\n")}, TSV, 0),
    ("no_distractors", {TSV: QRELS.replace("\t0\n", "\t2\n")}, CORPUS, 0),
]


@pytest.mark.parametrize(("rule", "files", "file", "line"), FAULTS)
def test_a_fault_is_found_at_its_line(tmp_path: Path, rule: str, files: dict, file: str, line: int) -> None:
    report = check(write(tmp_path, files))
    assert (rule, file, line) in [(found.rule, found.file, found.line) for found in report.findings]
    assert bool(report.errors) >= RULES[rule].is_error


def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST", 200)
    line = json.dumps({"_id": "d1", "text": "a" * 1_000}) + "\n"
    report = check(write(tmp_path, with_line(CORPUS, 2, line)))
    assert report.counts == {"long_line": 1, "unknown_document": 1, "few_documents": 1}
    assert report.findings[0][:3] == ("long_line", CORPUS, 2)
    assert report.figures["documents"] == 99


def test_every_rule_has_a_fault_here() -> None:
    elsewhere = {"long_line", "saturated"}
    assert {rule for rule, *_ in FAULTS} | elsewhere == RULES.keys()
    assert len({rule.code for rule in RULES.values()}) == len(RULES)


def test_a_sound_set_has_no_finding(tmp_path: Path) -> None:
    assert check(write(tmp_path)).findings == []
    assert check(write(tmp_path / "jsonl", whole())).findings == []


def test_a_fault_is_not_reported_twice(tmp_path: Path) -> None:
    misspelt = check(write(tmp_path / "a", with_line(CORPUS, 71, '{"id":"d70","text":"a"}\n')))
    assert misspelt.counts == {"field_spelling": 1, "few_documents": 1, "unknown_document": 1}
    array = check(write(tmp_path / "b", {CORPUS: json.dumps(DOCUMENTS, indent=2)}))
    assert array.counts["json_array"] == 1
    assert "invalid_json" not in array.counts
    broken_text = check(write(tmp_path / "c", with_line(CORPUS, 2, '{"_id":"d1","text":7}\n')))
    assert broken_text.counts == {"text_type": 1}, "the id is known, so judgements of it lead somewhere"


def test_a_folder_with_many_faults_reports_all(tmp_path: Path) -> None:
    bad_corpus = (
        '\ufeff{"_id":"1","text":"a"}\r\n'
        '{"_id":2,"text":"b"}\n\n[]\n{"_id":"1","text":"c"}\n{"_id":" 3","text":"d"}\n'
        '{"_id":"4","text":"A"}\n{"_id":"5","text":"","x":1}\n{"_id":"6"}\n{"_id":"7","text":7}\n{"_id":"8","text":""}\n{'
    )
    bad_queries = (
        '{"_id":"1","text":"a"}\n{"id":"q2","text":"b"}\n{"_id":"q3","text":""}\n'
        '{"_id":"q4","text":"A"}\n{"_id":"q5","text":"e"}'
    )
    bad_qrels = 'q4\t1\t1\nq4\t1\t0\nq4\t4\t0.5\nq4\t4\t0.5\nq5\t8\t-1\nq9\t404\t1\n"a\t1\t1\nq4\t1\tx\nq4 0 1 1\n\n'
    report = check(
        write(
            tmp_path,
            {CORPUS: bad_corpus, ASKED: bad_queries, TSV: bad_qrels, "qrels/dev.tsv": b"\xff\n", "more.jsonl": "x"},
        )
    )
    found = {(finding.rule, finding.file, finding.line) for finding in report.findings}
    assert found >= {
        ("bom", CORPUS, 1),
        ("crlf", CORPUS, 1),
        ("id_type", CORPUS, 2),
        ("blank_line", CORPUS, 3),
        ("not_object", CORPUS, 4),
        ("duplicate_id", CORPUS, 5),
        ("id_blank", CORPUS, 6),
        ("duplicate_document", CORPUS, 7),
        ("unknown_field", CORPUS, 8),
        ("missing_field", CORPUS, 9),
        ("text_type", CORPUS, 10),
        ("empty_document", CORPUS, 11),
        ("half_line", CORPUS, 12),
        ("few_documents", CORPUS, 0),
        ("shared_id", ASKED, 1),
        ("field_spelling", ASKED, 2),
        ("empty_query", ASKED, 3),
        ("duplicate_query", ASKED, 4),
        ("no_final_newline", ASKED, 5),
        ("tsv_without_header", TSV, 1),
        ("contradiction", TSV, 2),
        ("fractional_score", TSV, 3),
        ("duplicate_judgement", TSV, 4),
        ("negative_score", TSV, 5),
        ("no_relevant", TSV, 5),
        ("unknown_query", TSV, 6),
        ("unknown_document", TSV, 6),
        ("tsv_quote", TSV, 7),
        ("score_type", TSV, 8),
        ("tsv_fields", TSV, 9),
        ("blank_line", TSV, 10),
        ("few_queries", TSV, 0),
        ("not_utf8", "qrels/dev.tsv", 1),
        ("unread_file", "more.jsonl", 0),
    }


def test_both_lines_of_a_contradiction_are_named(tmp_path: Path) -> None:
    report = check(write(tmp_path, {TSV: QRELS + "q0\td0\t2\n"}))
    assert "score 2, but 1 in line 2" in next(f.found for f in report.findings if f.rule == "contradiction")


def test_a_copy_names_the_queries_it_touches(tmp_path: Path) -> None:
    copy = '{"_id":"x","title":"Part 3","text":"valve number 3"}\n'
    report = check(write(tmp_path, {CORPUS: SOUND[CORPUS] + copy}))
    assert [finding.found for finding in report.findings] == [
        "document 'x' has the text of 'd3' in line 4; relevant to 1 queries: 'q3'"
    ]


def test_one_pair_may_be_judged_in_several_splits(tmp_path: Path) -> None:
    report = check(write(tmp_path, {"qrels/dev.tsv": QRELS.replace("d0\t1", "d0\t3")}))
    assert report.counts == {}
    assert report.figures["splits"]["dev"]["scores"] == {"0": 50, "1": 49, "3": 1}


def test_negative_and_fractional_scores_are_judged_by_rule(tmp_path: Path) -> None:
    report = check(write(tmp_path, {TSV: QRELS.replace("d1\t1", "d1\t0.25").replace("d51\t0", "d51\t-2")}))
    assert report.errors == 0
    assert report.figures["splits"]["test"]["scores"] == {"-2": 1, "0": 49, "0.25": 1, "1": 49}


def test_many_findings_of_a_kind_are_cut_and_counted(tmp_path: Path) -> None:
    write(tmp_path, {CORPUS: jsonl(DOCUMENTS[:1])})
    assert check(tmp_path).counts["unknown_document"] == 99
    write(tmp_path, {TSV: QRELS + "q0\tnone\t0\n" * 300})
    report = check(tmp_path)
    assert sum(finding.rule == "unknown_document" for finding in report.findings) == 100
    assert report.counts["unknown_document"] == 300
    assert sum(finding.rule == "unknown_document" for finding in check(tmp_path, None).findings) == 300
    printed = CliRunner().invoke(app, ["custom", "check", str(tmp_path)]).stdout
    assert printed.count("E332 unknown_document") == 21
    assert "... and 280 more of E332 unknown_document; --all prints them" in printed
    assert "qrels/test.tsv: 300 of 400 judgements (75.0 %) point to an unknown document" in printed
    assert CliRunner().invoke(app, ["custom", "check", "--all", str(tmp_path)]).stdout.count("E332") == 300


def test_no_folder_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="is no folder"):
        check(tmp_path / "none")


def test_exit_codes_and_json(tmp_path: Path) -> None:
    fine = CliRunner().invoke(app, ["custom", "check", str(write(tmp_path / "a", {TSV: QRELS.rstrip()})), "--json"])
    assert fine.exit_code == 0
    assert [item["code"] for item in json.loads(fine.stdout)["findings"]] == ["W344"]
    broken = CliRunner().invoke(app, ["custom", "check", str(write(tmp_path / "b", {CORPUS: None})), "--json"])
    assert broken.exit_code == 1
    assert json.loads(broken.stdout)["shares"] == [
        {"file": TSV, "rule": "unknown_document", "broken": 100, "of": 100},
    ]


def test_what_is_printed_does_nothing_to_a_terminal(tmp_path: Path) -> None:
    line = json.dumps({"_id": " \x1b[31m<script>alert(1)</script>" + "x" * 500, "text": "a"}) + "\n"
    printed = CliRunner().invoke(app, ["custom", "check", str(write(tmp_path, with_line(CORPUS, 2, line)))]).stdout
    assert "\x1b" not in printed
    assert "[31m<script>" in printed
    assert max(map(len, printed.splitlines())) < 300


@given(st.text())
def test_a_shown_value_is_one_short_line(value: str) -> None:
    assert len(shown(value)) <= 80
    assert shown(value).isprintable()


HOSTILE = st.binary(max_size=60) | st.sampled_from(
    [b'{"_id":"1","text":"', b"[", b"\r", b"\t\t", b"\xef\xbb\xbf", b"\x00"]
)


@settings(max_examples=100, deadline=None)
@given(corpus=st.lists(HOSTILE), queries=st.lists(HOSTILE), qrels=st.lists(HOSTILE))
def test_no_bytes_end_in_a_traceback(corpus: list[bytes], queries: list[bytes], qrels: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        files = {CORPUS: b"\n".join(corpus), ASKED: b"\n".join(queries), TSV: b"\n".join(qrels), WHOLE: b"".join(qrels)}
        report = check(write(Path(name), files))
        assert report.errors == sum(count for rule, count in report.counts.items() if RULES[rule].is_error)
        assert report.errors


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1_000))
def test_the_order_of_lines_changes_no_count(seed: int) -> None:
    corpus = SOUND[CORPUS] + '{"_id":"x","title":"Part 3","text":"valve number 3"}\n{"_id":7,"text":"a"}\n'
    qrels = QRELS + "q0\td0\t2\nq1\td404\t1\nq2\td2\t1\nq3\td9\t-1\nq3\td10\t0.5\n"
    with tempfile.TemporaryDirectory() as name:
        first = check(write(Path(name), {CORPUS: corpus, TSV: qrels}))
        shuffle = random.Random(seed).shuffle
        documents, judged = corpus.splitlines(keepends=True), qrels.splitlines(keepends=True)[1:]
        shuffle(documents)
        shuffle(judged)
        second = check(write(Path(name), {CORPUS: "".join(documents), TSV: HEADER + "".join(judged)}))
    assert second.counts == first.counts
    assert second.shares == first.shares
    assert second.figures == first.figures
