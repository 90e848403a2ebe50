"""`bench explain`: what is said about a query, its gold, and each hit."""

import json

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from bench.cli import app
from bench.errors import BenchError
from bench.explain.collect import explain
from bench.explain.overlap import iou
from bench.jsonl import read_rows, write_rows
from bench.normalize.run import normalize
from bench.records import Annotation, Atom, Hit, RunLine, Scored
from bench.retrieve import retrieve
from bench.score.run import read_queries, score
from suites import locomo, make_suite


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """Two conversations of eight sessions, answered and scored by the reference systems, test split included."""
    folder = tmp_path_factory.mktemp("suite")
    built = make_suite(
        folder, locomo(), twins={"other_holder": 1.0, "before_observation": 1.0}, score={"acceptance": True}
    )
    normalize(built)
    retrieve(built)
    score(built)
    return built


@pytest.fixture
def own(tmp_path):
    """A function that writes a run of one line, and returns its folder."""

    def write(query_id, *hits, atoms=()):
        write_rows(tmp_path / "mine" / "conversation.jsonl", [RunLine(query_id, list(hits))])
        if atoms:
            write_rows(tmp_path / "mine" / "atoms.jsonl", atoms)
        return tmp_path / "mine"

    return write


def of_class(suite, kind):
    queries = read_queries(suite).values()
    return next(query for query in queries if query.unanswerable_class == kind)


def hit(source_id, turn, score=1.0, strong=False):
    return Hit(score, strong, source_id=source_id, region={"turn": turn})


def said(explained):
    (system,) = explained.systems
    return [[reason.says for reason in shown.reasons] for shown in system.hits]


def test_gold_is_shown_with_the_text_of_the_corpus(suite):
    query = of_class(suite, None)
    (gold,) = explain(suite, query.query_id, [], 10).gold
    word = query.question.removeprefix("Who saw ").removesuffix("?")
    assert f"I saw the {word} today" in gold.text
    assert (gold.source_id, gold.region) == (query.gold[0].source_id, query.gold[0].region)
    assert gold.holder == query.scope.holder


def test_gold_without_text_says_so(tmp_path):
    built = make_suite(tmp_path / "s", locomo())
    normalize(built)
    path = built.corpus / "conversation.jsonl"
    write_rows(path, [{**entry, "units": []} for entry in list(read_rows(path, dict))])
    query = of_class(built, None)
    write_rows(built.runs / "empty" / "conversation.jsonl", [RunLine(query.query_id, [])])
    assert explain(built, query.query_id, [], 10).gold[0].text is None
    shown = CliRunner().invoke(app, ["explain", query.query_id, "--suite", str(built.directory)])
    assert "(no text there)" in shown.stdout


def test_every_system_of_the_suite_is_shown_with_the_scores_that_it_was_given(suite):
    for query in read_queries(suite).values():
        explained = explain(suite, query.query_id, [], 3)
        assert [system.system for system in explained.systems] == ["bm25", "bm25_unscoped", "random"]
        for system in explained.systems:
            rows = read_rows(suite.scores / system.system / "per_query.jsonl", Scored)
            assert system.scores == next(row.scores for row in rows if row.query_id == query.query_id)
            assert len(system.hits) == min(3, system.returned)


def test_why_a_hit_counts(suite, own):
    query = of_class(suite, None)
    (gold,) = query.gold
    atom = Atom("pair", gold.source_id, [{"turn": 1}, {"turn": 2}])
    run = own(
        query.query_id,
        hit(gold.source_id, 3, 9.0),
        hit(gold.source_id, gold.region["turn"], 8.0, strong=True),
        Hit(7.0, False, atom_id="pair"),
        Hit(6.0, False, source_id=gold.source_id),
        atoms=[atom],
    )
    explained = explain(suite, query.query_id, [run], 10)
    assert said(explained) == [
        ["finds nothing"],
        ["finds gold 1"],
        ["gold 1 again, found at rank 2"],
        ["names no region of its source, so it finds nothing"],
    ]
    (system,) = explained.systems
    assert [shown.strong for shown in system.hits] == [False, True, False, False]
    assert system.scores["MRR"] == 0.5
    assert "I saw the" in system.hits[2].text


def test_what_is_too_large_says_what_is_allowed(suite, own):
    query = of_class(suite, None)
    atom = Atom("all", query.gold[0].source_id, [{"turn": turn} for turn in range(1, 6)])
    run = own(query.query_id, Hit(1.0, False, atom_id="all"), atoms=[atom])
    assert said(explain(suite, query.query_id, [run], 10)) == [["covers too much to say anything: at most 4 turns"]]


def test_leaks_name_holders_and_dates(suite, own):
    twin = of_class(suite, "other_holder")
    original = read_queries(suite)[twin.twin_of.query_id]
    run = own(twin.query_id, hit(original.gold[0].source_id, original.gold[0].region["turn"]))
    (words,) = said(explain(suite, twin.query_id, [run], 10))
    assert words == [
        "finds nothing",
        "is the original's gold 1, which must not come back here",
        f"LEAK: holder {original.scope.holder}, asked by {twin.scope.holder}",
    ]


def test_evidence_from_the_future_is_a_leak(suite, own):
    twin = of_class(suite, "before_observation")
    (gold,) = read_queries(suite)[twin.twin_of.query_id].gold
    run = own(twin.query_id, hit(gold.source_id, gold.region["turn"]))
    explained = explain(suite, twin.query_id, [run], 10)
    (words,) = said(explained)
    assert words[-1] == f"LEAK: observed {explained.gold[0].observed_at}, after as_of {twin.as_of}"
    assert explained.systems[0].scores["temporal_correctness"] == 0


def test_a_query_without_a_line_has_the_worst_values(suite, own):
    answerable, other = of_class(suite, None), of_class(suite, "native")
    (system,) = explain(suite, answerable.query_id, [own(other.query_id)], 10).systems
    assert system.state == "no_line"
    assert system.scores["recall@10"] == 0


def test_a_system_that_reads_text_is_not_measured_without_any(suite, tmp_path):
    built = make_suite(tmp_path / "s", locomo(text="none"))
    normalize(built)
    query = of_class(built, None)
    write_rows(built.runs / "words" / "conversation.jsonl", [RunLine(query.query_id, [])])
    (built.runs / "words" / "system.json").write_text('{"reads": "text"}')
    (system,) = explain(built, query.query_id, [], 10).systems
    assert (system.state, system.scores) == ("not_measured", {})


def test_overlap_by_hand():
    assert iou("video", [{"t_start": 0, "t_end": 6}], {"t_start": 3, "t_end": 9}) == pytest.approx(3 / 9)
    assert iou("video", [{"t_start": 0, "t_end": 2}], {"t_start": 3, "t_end": 9}) == 0
    assert iou("ui_screenshot", [{"bbox": [0, 0, 4, 4]}], {"bbox": [2, 2, 6, 6]}) == pytest.approx(4 / 28)
    assert iou("ui_screenshot", [{"bbox": [0, 0, 1, 1]}], {"bbox": [2, 2, 6, 6]}) == 0
    assert iou("pdf", [{"page": 1}], {"page": 1}) is None


def test_an_unknown_id_is_an_error_with_the_nearest(suite):
    query = of_class(suite, None)
    with pytest.raises(BenchError, match=f"the nearest ids: {query.query_id}"):
        explain(suite, query.query_id[:-1], [], 10)
    with pytest.raises(BenchError, match="holds the ids"):
        explain(suite, "?", [], 10)


def test_an_unknown_run_is_an_error_that_names_those_there_are(suite, tmp_path):
    query = of_class(suite, None)
    with pytest.raises(BenchError, match=r"no system of .*bm25, bm25_unscoped, random"):
        explain(suite, query.query_id, [tmp_path / "nowhere"], 10)


def test_the_command_prints_plain_lines_and_json(suite):
    query = of_class(suite, "other_holder")
    command = ["explain", query.query_id, "--suite", str(suite.directory), "--run", "bm25_unscoped", "--hits", "2"]
    plain = CliRunner().invoke(app, command)
    assert plain.exit_code == 0, plain.output
    assert "\x1b" not in plain.stdout
    assert f"twin of {query.twin_of.query_id}" in plain.stdout
    assert "must not come back 1" in plain.stdout
    assert "false_recall_other_holder" in plain.stdout
    (system,) = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)["systems"]
    assert [shown["rank"] for shown in system["hits"]] == [1, 2]


def test_what_stands_in_brackets_is_text_and_no_markup(tmp_path):
    built = make_suite(tmp_path / "s", locomo())
    normalize(built)
    path = built.sets / "conversation.jsonl"
    queries = list(read_rows(path, Annotation))
    queries[0] = replace(queries[0], question="[red]Who[/] \x1b[2J?")
    write_rows(path, queries)
    write_rows(built.runs / "empty" / "conversation.jsonl", [])
    shown = CliRunner().invoke(app, ["explain", queries[0].query_id, "--suite", str(built.directory)]).stdout
    assert "[red]Who[/]  [2J?" in shown
