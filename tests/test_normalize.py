"""The stage on small sources of the test's own: every row is accounted for, and nothing depends on order."""

import json
import shutil
from collections import Counter

import pytest

from bench.errors import BenchError
from bench.jsonl import read_rows
from bench.normalize.run import normalize
from bench.records import Annotation, CorpusEntry
from bench.upstream import base
from suites import locomo, make_suite


def sets(suite):
    return list(read_rows(suite.sets / "conversation.jsonl", Annotation))


def excluded(suite):
    return {row["item"]: row["reason"] for row in read_rows(suite.sets / "excluded.jsonl", dict)}


def test_counts_by_class_and_rows_in(tmp_path):
    suite = make_suite(tmp_path, locomo(), twins={"other_holder": 1.0, "before_observation": 1.0})
    dataset = normalize(suite)
    classes = Counter(query.unanswerable_class for query in sets(suite))
    assert classes == {None: 16, "native": 2, "other_holder": 16, "before_observation": 6}
    assert dataset["conversation"] == dataset["all"]
    assert dataset["all"] == {
        "sources": 16, "holders": 2, "queries": 40, "answerable": 16, "unanswerable": 24,
        "native": 2, "other_holder": 16, "before_observation": 6,
    }  # fmt: skip
    rows = dataset["by_source"]["locomo"]
    assert rows["question"] == {"rows": 18, "kept": 18, "excluded": 0}
    assert rows["twins_refused"] == {"before_observation:too_few_sources": 10}
    assert json.loads((suite.metrics / "dataset.json").read_text()) == dataset


def test_corpus_entries_are_sorted_and_owned(tmp_path):
    suite = make_suite(tmp_path, locomo())
    normalize(suite)
    entries = list(read_rows(suite.corpus / "conversation.jsonl", CorpusEntry))
    assert [entry.source_id for entry in entries] == sorted(entry.source_id for entry in entries)
    assert {entry.holder for entry in entries} == {"locomo:conv-0", "locomo:conv-1"}
    assert entries[0].observed_at == "2024-03-01T13:00:00Z"
    assert entries[0].units[1].region == {"turn": 2}


def test_a_question_with_two_answers_is_ambiguous_within_its_holder(tmp_path):
    def ask_twice(samples):
        samples[0]["qa"][1]["question"] = "who  SAW topic0x1?"

    suite = make_suite(tmp_path, locomo(edit=ask_twice))
    normalize(suite)
    assert excluded(suite) == dict.fromkeys(("conv-0/qa/0", "conv-0/qa/1"), "ambiguous_within_holder")


def test_the_same_question_with_the_same_gold_counts_once(tmp_path):
    def repeat(samples):
        samples[0]["qa"].append(samples[0]["qa"][0])

    suite = make_suite(tmp_path, locomo(edit=repeat), twins={"other_holder": 0.0, "before_observation": 0.0})
    normalize(suite)
    assert excluded(suite) == {"conv-0/qa/9": "repeated_question"}
    assert [query.origin.item for query in sets(suite) if query.question == "Who saw topic0x1?"] == ["conv-0/qa/0"]


def test_the_same_question_of_two_holders_is_two_questions(tmp_path):
    def same(samples):
        for sample in samples:
            sample["qa"][0]["question"] = "Who saw it first?"

    suite = make_suite(tmp_path, locomo(edit=same))
    normalize(suite)
    assert excluded(suite) == {}


def test_a_cap_keeps_the_same_queries_when_upstream_is_reordered(tmp_path):
    kept = []
    for folder, edit in (("a", None), ("b", lambda samples: [sample["qa"].reverse() for sample in samples])):
        suite = make_suite(tmp_path / folder, locomo(edit=edit), options={"locomo": {"cap": 5}})
        dataset = normalize(suite)
        assert dataset["by_source"]["locomo"]["question"] == {"rows": 18, "kept": 5, "excluded": 13}
        kept.append({query.query_id for query in sets(suite)})
    assert kept[0] == kept[1]


def test_trimmed_blanks_are_resolved_with_the_raw_value_kept(tmp_path):
    def pad(samples):
        samples[0]["qa"][0]["question"] += " \n"

    suite = make_suite(tmp_path, locomo(edit=pad))
    normalize(suite)
    (row,) = read_rows(suite.sets / "resolved.jsonl", dict)
    assert (row["rule"], row["raw"]) == ("blanks_trimmed", "Who saw topic0x1? \n")


def test_an_empty_question_is_excluded(tmp_path):
    def empty(samples):
        samples[0]["qa"][0]["question"] = "  "

    suite = make_suite(tmp_path, locomo(edit=empty))
    normalize(suite)
    assert excluded(suite) == {"conv-0/qa/0": "empty_question"}


def test_two_builds_are_byte_identical(tmp_path):
    built = []
    for folder in ("a", "b"):
        suite = make_suite(tmp_path / folder, locomo())
        normalize(suite)
        files = [
            *sorted(suite.sets.glob("*.jsonl")),
            *sorted(suite.corpus.glob("*.jsonl")),
            suite.metrics / "dataset.json",
        ]
        built.append({path.relative_to(suite.directory): path.read_bytes() for path in files})
    assert built[0] == built[1]


def parts(suite):
    return {path: path.read_bytes() for path in sorted((suite.directory / ".work" / "parts").rglob("*.json*"))}


def test_an_unchanged_source_is_not_read_again(tmp_path):
    suite = make_suite(tmp_path, locomo("a"), locomo("b"))
    normalize(suite)
    written = {path: path.stat().st_mtime_ns for path in parts(suite)}
    built = suite.sets.joinpath("conversation.jsonl").read_bytes()
    normalize(suite)
    assert {path: path.stat().st_mtime_ns for path in parts(suite)} == written
    assert suite.sets.joinpath("conversation.jsonl").read_bytes() == built


def test_changed_bytes_are_read_again(tmp_path):
    suite = make_suite(tmp_path, locomo())
    normalize(suite)
    raw = suite.raw / "locomo" / "locomo10.json"
    raw.write_bytes(raw.read_bytes().replace(b"Who saw", b"Who met"))
    normalize(suite)
    assert all("saw" not in query.question for query in sets(suite))


@pytest.mark.parametrize("damage", ["entries", "part"])
def test_a_damaged_part_is_read_anew(tmp_path, damage):
    suite = make_suite(tmp_path, locomo())
    normalize(suite)
    whole, corpus = parts(suite), suite.corpus.joinpath("conversation.jsonl").read_bytes()
    damaged = next(path for path in whole if path.suffix == (".jsonl" if damage == "entries" else ".json"))
    damaged.write_bytes(whole[damaged].replace(b"topic0", b"topic9"))
    assert damaged.read_bytes() != whole[damaged]
    normalize(suite)
    assert parts(suite) == whole
    assert suite.corpus.joinpath("conversation.jsonl").read_bytes() == corpus


def test_a_changed_setting_reads_the_source_again_and_leaves_no_old_part(tmp_path):
    suite = make_suite(tmp_path, locomo("a"), locomo("b"))
    normalize(suite)
    before = parts(suite)
    suite = make_suite(tmp_path, locomo("a"), locomo("b"), options={"a": {"cap": 3}})
    normalize(suite)
    assert len(parts(suite)) == len(before) == 4
    assert {path for path in before if path.parent.name == "b"} < set(parts(suite))
    assert {path for path in before if path.parent.name == "a"}.isdisjoint(parts(suite))


def test_the_part_of_a_removed_source_goes(tmp_path):
    normalize(make_suite(tmp_path, locomo("a"), locomo("b")))
    suite = make_suite(tmp_path, locomo("a"))
    shutil.rmtree(suite.raw / "b")
    normalize(suite)
    assert {path.parent.name for path in parts(suite)} == {"a"}


def test_a_release_of_another_shape_is_a_sentence_not_a_traceback(tmp_path):
    def other_shape(samples):
        del samples[1]["qa"][0]["question"]

    suite = make_suite(tmp_path, locomo(edit=other_shape))
    with pytest.raises(BenchError, match="locomo: a row is not of the shape that adapter locomo expects: KeyError"):
        normalize(suite)


def test_rows_that_do_not_add_up_are_named(tmp_path, monkeypatch):
    adapter = tmp_path / "lossy.py"
    adapter.write_text(
        "from bench.upstream.base import Rows, Excluded\n"
        "def read(raw):\n"
        "    yield Rows('question', 3)\n"
        "    yield Excluded('question', 'row 0', 'faulty')\n"
    )
    monkeypatch.setattr("bench.upstream.__path__", [str(tmp_path)])
    suite = make_suite(tmp_path / "suite", locomo() | {"adapter": "lossy"})
    with pytest.raises(BenchError, match="3 question rows came in, but 0 were kept and 1 excluded"):
        normalize(suite)


def test_a_removed_source_that_is_left_on_disk_stops_the_stage(tmp_path):
    suite = make_suite(tmp_path, locomo())
    (suite.raw / "gone").mkdir()
    with pytest.raises(BenchError, match=r"holds gone, which params\.yaml does not list"):
        normalize(suite)


def test_the_manifest_must_be_of_the_same_sources(tmp_path):
    suite = make_suite(tmp_path, locomo())
    suite.manifest.write_text('{"source":"other","dataset":"other","text":"units"}\n')
    with pytest.raises(BenchError, match="of other sources than params"):
        normalize(suite)


def test_kinds_of_rows_are_documented():
    assert "caption" in base.__doc__
