"""Every check, broken by one fault in a suite that is valid without it."""

import random
from pathlib import Path

import pytest
from breaking import Break, entry, origin, param, places, region, row, run, scope, set_to, text
from hypothesis import given, settings
from hypothesis import strategies as st
from small_suite import BEFORE, Files, Row, valid

from bench.checks import LINE_CHECKS, SUITE_CHECKS, modules, table
from bench.jsonl import encode
from bench.suite import ROOT
from bench.validate import Validation


def other_split(annotation: Row) -> None:
    annotation["split"] = {"dev": "test", "test": "dev"}[annotation["split"]]


def ask_as_line_1(files: Files) -> None:
    files.sets["pdf"][2]["question"] = "  what does DOCS 0 say? ".strip()
    files.sets["pdf"][2]["gold"][0]["region"] = {"page": 3}


def repeat_id(files: Files) -> None:
    files.sets["pdf"][18] = files.sets["pdf"][19] | {"question": "What else does it say?"}


def repeat_source(files: Files) -> None:
    copy = dict(files.corpus["pdf"][28]) | {"units": []}
    files.corpus["pdf"].append(copy)
    files.accounts["docs"]["document"] |= {"rows": 32, "kept": 31}


# Line n of the set asks about line n of the corpus; lines 1 to 20 have no twins. Odd lines are of holder h0.
ROW_FAULTS: list[tuple[str, int, Break]] = [
    ("E101", 1, row(1, text('"answer":null', '"answer":NaN'))),
    ("E101", 2, row(2, text('"split":', '"split":"dev","split":'))),
    ("E101", 4, row(4, lambda record: b"\n")),
    ("E102", 5, row(5, lambda record: record.pop("answer"))),
    ("E102", 6, row(6, set_to(as_of="2025-02-30T00:00:00Z"))),
    ("E102", 7, row(7, scope(holder=" h0"))),
    ("E102", 8, row(8, set_to(answer_format="int", answer="two"))),
    ("E103", 9, row(9, region({}))),
    ("E103", 10, row(10, region({"page": 2.0}))),
    ("E104", 11, row(11, lambda record: record.update(modality="image", gold=[]))),
    ("E105", 12, row(12, set_to(as_of="2025-12-31T23:59:59+00:00"))),
    ("E120", 13, row(13, set_to(gold=[]))),
    ("E121", 14, row(14, lambda record: record["gold"][0].update(source_id="docs/99"))),
    ("E122", 15, row(15, region({"page": 6}))),
    ("E123", 16, row(16, scope(holder="h0"))),
    ("E124", 17, row(17, scope(session="docs/2"))),
    ("E133", 18, row(18, origin(item="test_augmented_simple.json[17]"))),
    ("E110", 20, repeat_id),
    ("E125", 29, row(29, set_to(as_of=BEFORE))),
    ("E130", 30, row(30, origin(revision="2"))),
    ("E141", 31, row(31, scope(session="docs/1"))),
    ("E140", 39, row(39, other_split)),
    ("E132", 40, row(40, origin(license="MIT"))),
    ("E153", 41, row(41, set_to(question="Why" + "y" * 198))),
    ("E120", 42, row(42, lambda record: record.update(gold=[{"source_id": "docs/1", "region": {"page": 1}}]))),
]
OTHER_FAULTS: list[tuple[str, str, int, Break]] = [
    ("E101", "corpus/pdf.jsonl", 3, entry(3, lambda record: encode(record)[:-40] + b"\n")),
    ("E101", "corpus/pdf.jsonl", 1, entry(1, lambda record: b"\xef\xbb\xbf" + encode(record) + b"\n")),
    ("E101", "corpus/pdf.jsonl", 30, entry(30, lambda record: encode(record)[:-40])),
    ("E102", "corpus/pdf.jsonl", 3, entry(3, set_to(extent={"pages": 0}))),
    ("E103", "corpus/pdf.jsonl", 3, entry(3, lambda record: record["units"][0].update(region={"turn": 1}))),
    ("E105", "corpus/pdf.jsonl", 3, entry(3, set_to(observed_at="2025-06-01T02:00:00+02:00"))),
    ("E106", "sets/audio.jsonl", 0, lambda files: files.sets.update(audio=[])),
    ("E111", "corpus/pdf.jsonl", 31, repeat_source),
    ("E124", "sets/conversation.jsonl", 13, row(13, scope(session="talks/1"), "conversation")),
    ("E124", "sets/conversation.jsonl", 13, row(13, scope(session="talks/99"), "conversation")),
    ("E131", "corpus/pdf.jsonl", 3, entry(3, set_to(revision="2"))),
    ("E132", "corpus/manifest.jsonl", 1, lambda files: files.manifest[0].pop("licence")),
    ("E133", "corpus/manifest.jsonl", 1, lambda files: files.manifest[0]["annotation_source"].update(kind="model")),
    ("E141", "sets/pdf.jsonl", 31, row(31, set_to(question="What else?"))),
    ("E141", "sets/pdf.jsonl", 31, row(31, set_to(origin={**valid().sets["pdf"][30]["origin"], "item": "rows[1]"}))),
    ("E141", "sets/pdf.jsonl", 31, row(31, lambda record: record.update(query_id=record["query_id"] + "x"))),
    ("E141", "sets/pdf.jsonl", 35, row(35, set_to(as_of="2025-06-01T00:00:00Z"))),
    ("E141", "sets/pdf.jsonl", 35, row(35, scope(holder="h1"))),
    ("E142", "sets/pdf.jsonl", 3, ask_as_line_1),
    ("E150", "sets", 0, param(min_unanswerable_share=0.9)),
    ("E151", "sets/conversation.jsonl", 0, param(min_queries=13)),
    ("E152", "metrics/dataset.json", 0, lambda files: files.accounts["docs"]["question"].update(rows=37)),
    ("E152", "metrics/dataset.json", 0, lambda files: files.accounts["talks"]["document"].update(rows=13, kept=13)),
    ("E152", "metrics/dataset.json", 0, lambda files: files.excluded[0].update(reason="page_one")),
    ("E152", "metrics/dataset.json", 0, lambda files: files.accounts.pop("chartqa")),
    ("W160", "sets/pdf.jsonl", 0, param(max_share=0.9)),
    ("W161", "corpus/pdf.jsonl", 3, entry(3, set_to(units=valid().corpus["pdf"][0]["units"]))),
]


def test_the_valid_suite_is_valid(tmp_path: Path) -> None:
    validation = run(tmp_path)
    assert places(validation) == []
    assert (validation.queries, validation.sources) == (70, 42)


@pytest.mark.parametrize(("code", "line", "fault"), ROW_FAULTS)
def test_one_fault_in_a_set_is_one_finding(code: str, line: int, fault: Break, tmp_path: Path) -> None:
    assert places(run(tmp_path, fault)) == [(code, "sets/pdf.jsonl", line)]


@pytest.mark.parametrize(("code", "path", "line", "fault"), OTHER_FAULTS)
def test_one_fault_elsewhere_is_one_finding(code: str, path: str, line: int, fault: Break, tmp_path: Path) -> None:
    found = places(run(tmp_path, fault))
    assert set(found) == {(code, path, line)}
    assert len(found) == 1 or (code == "E152" and len(found) == 2)  # by kind and by reason


def test_every_check_has_its_counter_example() -> None:
    broken = {fault[0] for fault in [*ROW_FAULTS, *OTHER_FAULTS]}
    assert broken == {module.CODE for module in modules(LINE_CHECKS + SUITE_CHECKS)}


def test_a_file_with_more_than_twenty_different_faults_reports_all(tmp_path: Path) -> None:
    validation = run(tmp_path, *(fault for _, _, fault in ROW_FAULTS))
    assert places(validation) == [(code, "sets/pdf.jsonl", line) for code, line, _ in ROW_FAULTS]
    assert len(ROW_FAULTS) >= 20


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_order_of_lines_does_not_matter(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    def shuffle(files: Files) -> None:
        for rows in (*files.sets.values(), *files.corpus.values()):
            random.Random(seed).shuffle(rows)

    faults = [fault for _, _, fault in ROW_FAULTS] + [ask_as_line_1]
    ordered, shuffled = (run(tmp_path_factory.mktemp("suite"), *faults, *more) for more in ((), (shuffle,)))
    assert codes(ordered) == codes(shuffled)


def codes(validation: Validation) -> list[tuple[str, str]]:
    return sorted((finding.code, finding.query_id) for finding in validation.errors)


def test_a_refused_entry_is_no_missing_source_to_its_queries(tmp_path: Path) -> None:
    validation = run(tmp_path, *(entry(line, set_to(observed_at="yesterday")) for line in (1, 21, 25)))
    assert {finding.code for finding in validation.errors} == {"E102"}


def test_a_refused_original_is_no_missing_one_to_its_twins(tmp_path: Path) -> None:
    validation = run(tmp_path, row(21, set_to(as_of="yesterday")), row(25, text('"split"', '"split')))
    assert [finding.code for finding in validation.errors] == ["E102", "E101"]


@pytest.mark.parametrize("missing", [True, False])
def test_a_missing_or_empty_set_is_an_error(missing: bool, tmp_path: Path) -> None:
    def take_away(files: Files) -> None:
        files.sets["conversation"] = []
        if missing:
            del files.sets["conversation"]

    found = places(run(tmp_path, take_away))
    assert ("E151", "sets/conversation.jsonl", 0) in found
    assert {code for code, _, _ in found} == {"E151", "E152"}


def test_a_missing_corpus_is_one_finding_and_no_flood(tmp_path: Path) -> None:
    found = places(run(tmp_path, lambda files: files.corpus.pop("pdf")))
    assert found == [("E106", "corpus/pdf.jsonl", 0), ("E152", "metrics/dataset.json", 0)]


def test_a_copy_that_another_holder_sees_touches_the_twin_alone(tmp_path: Path) -> None:
    copied = valid().corpus["pdf"][20]["units"]
    [warning] = run(tmp_path, entry(2, set_to(units=copied))).warnings
    twin = valid().sets["pdf"][30]["query_id"]
    assert f"queries touched: 1, {twin}" in warning.found


def test_copies_that_touch_no_query_are_one_warning(tmp_path: Path) -> None:
    def make_copies(files: Files) -> None:
        for line in (1, 2, 3, 4):
            # Each about its session: a copy elsewhere is no answer.
            row(line, scope(session=f"docs/{line - 1}"))(files)
            entry(line, set_to(units=[{"region": {"page": 1}, "text": "The  SAME" if line < 3 else "another"}]))(files)

    [warning] = run(tmp_path, make_copies).warnings
    assert "texts in several entries that touch no query: 2" in warning.found


def test_the_table_in_docs_is_current() -> None:
    assert (ROOT / "docs/checks.md").read_text("utf-8").splitlines() == list(table())


def test_codes_and_names_are_unique_and_every_file_is_registered() -> None:
    registered = LINE_CHECKS + SUITE_CHECKS
    loaded = modules(registered)
    assert len({module.CODE for module in loaded}) == len(loaded)
    assert [module.NAME for module in loaded] == list(registered)
    helpers = {"__init__", "__main__", "base", "reading"}
    assert {path.stem for path in (ROOT / "bench/checks").glob("*.py")} == set(registered) | helpers
