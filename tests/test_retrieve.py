"""The reference systems on a small suite: what they may see, how ties are settled, when a hit is strong."""

import json

import pytest

from bench.errors import BenchError
from bench.jsonl import read_rows
from bench.normalize.run import normalize
from bench.records import Annotation, CorpusEntry, Origin, RunLine, Scope, Unit
from bench.retrieve import best_threshold, retrieve
from bench.score.run import score
from bench.systems.bm25 import System, words
from bench.systems.units import Units, cells
from suites import locomo, make_suite


@pytest.fixture
def suite(tmp_path):
    built = make_suite(
        tmp_path,
        locomo(conversations=3),
        twins={"other_holder": 1.0, "before_observation": 1.0},
        split={"dev": 1.0},
    )
    normalize(built)
    retrieve(built)
    return built


def runs(suite, system):
    return {line.query_id: line for line in read_rows(suite.runs / system / "conversation.jsonl", RunLine)}


def queries(suite):
    return {query.query_id: query for query in read_rows(suite.sets / "conversation.jsonl", Annotation)}


@pytest.mark.parametrize("system", ["bm25", "random"])
def test_a_scoped_system_returns_what_the_holder_had_at_the_time(suite, system):
    sources = {entry.source_id: entry for entry in read_rows(suite.corpus / "conversation.jsonl", CorpusEntry)}
    asked = queries(suite)
    returned = 0
    for query_id, line in runs(suite, system).items():
        for hit in line.hits:
            returned += 1
            assert sources[hit.source_id].holder == asked[query_id].scope.holder
            assert sources[hit.source_id].observed_at <= asked[query_id].as_of
    assert returned > 100


def test_the_unscoped_system_leaks_and_the_twin_measures_show_it(suite):
    documents = score(suite)
    leaking = documents["bm25_unscoped"]["all"]["dev"]
    careful = documents["bm25"]["all"]["dev"]
    for measure in ("holder_correctness_twins", "temporal_correctness_twins"):
        assert leaking[measure]["value"] < 0.95
        assert careful[measure]["value"] == 1
        assert careful[measure]["denominator"] > 5


def test_bm25_finds_the_turn_that_names_the_topic(suite):
    records = score(suite)["bm25"]["all"]["dev"]
    assert records["recall@1"]["of"] == "24.0/24, n=24"
    assert score(suite)["random"]["all"]["dev"]["recall@1"]["value"] < 0.5


def test_runs_are_byte_identical_when_repeated(suite):
    before = {path: path.read_bytes() for path in suite.runs.rglob("*.json*")}
    retrieve(suite)
    assert {path: path.read_bytes() for path in suite.runs.rglob("*.json*")} == before


def test_latency_is_written_beside_the_metrics_and_is_no_output_of_a_run(suite):
    latency = json.loads((suite.metrics / "bm25" / "latency.json").read_text())
    assert latency["all"]["n"] == len(queries(suite))
    assert latency["all"]["p50_ms"] <= latency["all"]["p95_ms"]


def test_only_dev_is_read_unless_acceptance_is_on(tmp_path):
    read = {}
    for acceptance in (False, True):
        built = make_suite(tmp_path / str(acceptance), locomo(conversations=3), score={"acceptance": acceptance})
        normalize(built)
        retrieve(built)
        read[acceptance] = {queries(built)[query_id].split for query_id in runs(built, "bm25")}
        assert set(score(built)["bm25"]["all"]) == read[acceptance]
    assert read == {False: {"dev"}, True: {"dev", "test"}}


def test_an_unknown_system_is_named(tmp_path):
    built = make_suite(tmp_path, locomo(), retrieve={"systems": ["bm52"]})
    normalize(built)
    with pytest.raises(BenchError, match="names 'bm52'; the reference systems are bm25, bm25_unscoped, random"):
        retrieve(built)


def ranked(*top_scores_and_answerable):
    """The threshold over dev queries of these top scores (None: no hit)."""
    rankings = [[] if top is None else [(0, top)] for top, _ in top_scores_and_answerable]
    return best_threshold([asked(answerable) for _, answerable in top_scores_and_answerable], rankings)


def asked(answerable):
    return Annotation(
        query_id="q", modality="pdf", question="Which fox?", answer=None, answer_format="none", gold=[],
        scope=Scope("h", None, "x"), as_of="2025-01-01T00:00:00Z", unanswerable=not answerable,
        origin=Origin("d", "1", "i", "CC0-1.0"), split="dev",
    )  # fmt: skip


def test_the_threshold_has_the_best_f1():
    assert ranked((9.0, True), (8.0, True), (7.0, False), (6.0, True), (1.0, False), (0.5, False)) == 6.0
    assert ranked((9.0, True), (1.0, False), (0.9, False), (0.8, False)) == 9.0


def test_the_higher_of_equal_thresholds_is_taken():
    # From 5: 1 of 1 guessed, 1 of 2 answerable, F1 2/3. From 1: 2 of 4 guessed, 2 of 2 answerable, F1 2/3.
    assert ranked((5.0, True), (4.0, False), (3.0, False), (1.0, True)) == 5.0


def test_equal_scores_are_guessed_together():
    assert ranked((2.0, True), (2.0, False), (1.0, False)) == 2.0


def test_without_an_answerable_hit_nothing_is_strong():
    assert ranked((9.0, False)) is None
    assert ranked((None, True), (3.0, False)) is None
    assert ranked() is None


def test_words_are_unicode_and_split_names():
    assert words("HTTPServer_error getUserName café Ⅻ 東京") == [
        "httpserver", "error", "get", "user", "name", "café", "xii", "東京",
    ]  # fmt: skip


def entry(modality, extent, units=()):
    return CorpusEntry(
        source_id="s", modality=modality, holder="h", observed_at="2025-01-01T00:00:00Z", dataset="d", revision="1",
        title="s", extent=extent, units=[Unit(*unit) for unit in units],
    )  # fmt: skip


def test_a_source_without_text_is_cut_into_the_stated_grid():
    grid = {"video_spans": 4, "ui_columns": 2, "ui_rows": 3}
    spans = cells(entry("video", {"duration": 10.0}), grid)
    assert [span["t_start"] for span in spans] == [0, 2.5, 5, 7.5]
    assert spans[-1]["t_end"] == 10
    boxes = cells(entry("ui_screenshot", {"width": 100, "height": 90}), grid)
    assert len(boxes) == 6
    assert boxes[-1] == {"bbox": [50, 60, 100, 90]}
    assert cells(entry("image", {"width": 1, "height": 1}), grid) == [{}]


def test_units_on_one_place_are_one_with_their_texts_joined():
    box = {"bbox": [0, 0, 1, 1]}
    units = Units([entry("ui_screenshot", {"width": 9, "height": 9}, [(box, "save"), (box, "button")])], {})
    assert units.texts == ["save\nbutton"]
    assert len(units.places) == 1


def test_cells_of_a_source_without_text_do_not_weigh_in_keyword_search():
    pages = [({"page": number}, text) for number, text in enumerate(("red fox", "red hen", "", "blue fox"), 1)]
    text = entry("pdf", {"pages": 4}, pages)
    film = CorpusEntry(
        source_id="film", modality="video", holder="h", observed_at="2025-01-01T00:00:00Z", dataset="e", revision="1",
        title="film", extent={"duration": 10.0}, units=[],
    )  # fmt: skip
    few, many = (Units([film, text], {"video_spans": spans}) for spans in (1, 1000))
    assert [few.texts[unit] for unit in few.with_text] == ["red fox", "red hen", "blue fox"]
    rankings = []
    for units in (few, many):
        found = System(units, {"k1": 1.2, "b": 0.75}, 10).answer(asked(True))
        rankings.append([(units.places[unit].region, score) for unit, score in found])
    assert rankings[0] == rankings[1]
    assert [region["page"] for region, _ in rankings[0]] == [4, 1]
