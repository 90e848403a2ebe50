"""Shards and judgements of CodeSearchNet: texts without docstrings, graded gold, and every row accounted for."""

import gzip
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench.errors import BenchError
from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows
from bench.upstream.codesearchnet import read

REVISION = "0123456789abcdef0123456789abcdef01234567"
HEADER = "Language,Query,GitHubUrl,Relevance,Notes"


def url(place: str, repository: str = "small/house") -> str:
    return f"https://github.com/{repository}/blob/{REVISION}/{place}"


def row(place: str, name: str, code: str = "", docstring: str = "", **other: Any) -> dict[str, Any]:
    return {
        "repo": "small/house",
        "path": place.partition("#")[0],
        "func_name": name,
        "original_string": code,
        "language": "python",
        "code": code or f"def {name}(): pass",
        "docstring": docstring,
        "sha": "",
        "url": url(place),
        "partition": "test",
        **other,
    }


DOORS = row(
    "doors.py#L10-L14",
    "House.doors",
    'def doors(self):\n    """Count the open doors.\n\n    Slowly."""\n    return 1',
    "Count the open doors.\n\n    Slowly.",
    sha="f" * 40,
)
WINDOWS = row("win dows.py#L1-L2", "windows")
KEYS = row("keys.js#L3-L9", "", "function() {}", "Turns the key once around.", language="javascript")


def release(folder: Path, rows: list[dict[str, Any]], judgements: str = "", part: str = "test", **options: Any) -> Raw:
    for language in {shard_row["language"] for shard_row in rows}:
        shard = folder / language / "final" / "jsonl" / part / f"{language}_{part}_0.jsonl.gz"
        shard.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(shard, "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(written) + "\n" for written in rows if written["language"] == language)
    (folder / "annotationStore.csv").write_bytes("\r\n".join([HEADER, *judgements.splitlines(), ""]).encode())
    return Raw(folder, "codesearchnet", REVISION, options)


def of(kind: type[Any], records: list[Record]) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def excluded(records: list[Record], kind: str = "question") -> list[tuple[str, str]]:
    return [(record.item, record.reason) for record in of(Excluded, records) if record.kind == kind]


def judged(records: list[Record]) -> list[Question]:
    return [record for record in of(Question, records) if record.scenario == "judged_query"]


def assert_all_rows_are_accounted_for(records: list[Record]) -> None:
    for kind, made in (("document", Document), ("question", Question)):
        rows = sum(record.total for record in of(Rows, records) if record.kind == kind)
        assert rows == len(of(made, records)) + len(excluded(records, kind))


def test_a_function_is_a_source_of_its_language(tmp_path: Path) -> None:
    records = list(read(release(tmp_path, [DOORS, WINDOWS, KEYS])))
    keys, doors, windows = of(Document, records)
    # The commit comes from the url: sha names another.
    assert doors.source_id == f"codesearchnet/small/house/blob/{REVISION}/doors.py#L10-L14"
    assert doors.units == [({"path": "doors.py", "symbol": "House.doors"}, "def doors(self):\n    \n    return 1")]
    assert doors.extent == {
        "symbols": [{"path": "doors.py", "symbol": "House.doors", "line_start": 10, "line_end": 14}]
    }
    assert (doors.holder, keys.holder) == ("codesearchnet:python", "codesearchnet:javascript")
    assert windows.units[0][0] == {"path": "win dows.py", "symbol": "windows"}
    assert keys.units == [({"path": "keys.js", "line": 3}, "function() {}")]
    assert keys.extent["symbols"][0]["symbol"] == "<anonymous>"
    assert_all_rows_are_accounted_for(records)


def test_a_name_that_repeats_in_a_file_is_addressed_by_its_line(tmp_path: Path) -> None:
    rows = [row("a.py#L1-L2", "f"), row("a.py#L5-L6", "f"), row("b.py#L5-L6", "f")]
    rows.append(row("", "f", url=url("a.py#L1-L2", "other/house")))
    documents = of(Document, list(read(release(tmp_path, rows))))
    assert [document.units[0][0] for document in documents] == [
        {"path": "a.py", "line": 1},
        {"path": "a.py", "line": 5},
        {"path": "b.py", "symbol": "f"},
        {"path": "a.py", "symbol": "f"},
    ]


def test_the_docstring_asks_and_is_no_part_of_the_text(tmp_path: Path) -> None:
    old = row(
        "old.py#L1-L3", "old", "def old():\n    r'''Print all open doors. '''\n    print 1", "Print all open doors."
    )
    records = list(read(release(tmp_path, [DOORS, KEYS, WINDOWS, old])))
    assert {question.question: (question.gold, question.scenario) for question in of(Question, records)} == {
        "Turns the key once around.": (
            [Gold(f"codesearchnet/small/house/blob/{REVISION}/keys.js#L3-L9", {"path": "keys.js", "line": 3})],
            "docstring",
        ),
        "Count the open doors.": (
            [
                Gold(
                    f"codesearchnet/small/house/blob/{REVISION}/doors.py#L10-L14",
                    {"path": "doors.py", "symbol": "House.doors"},
                )
            ],
            "docstring",
        ),
        "Print all open doors.": (
            [Gold(f"codesearchnet/small/house/blob/{REVISION}/old.py#L1-L3", {"path": "old.py", "symbol": "old"})],
            "docstring",
        ),
    }
    assert excluded(records) == [("python/final/jsonl/test/python_test_0.jsonl.gz/1", "no_docstring")]
    assert all("open doors" not in document.units[0][1] for document in of(Document, records))


def test_a_sentence_of_two_functions_asks_in_another_language_only(tmp_path: Path) -> None:
    rows = [
        row("a.go#L1-L2", "a", docstring="Count the open doors.", language="go"),
        row("b.go#L1-L2", "b", docstring="Count the open doors.", language="go"),
        row("c.rb#L1-L2", "c", docstring="Count the open doors.", language="ruby"),
    ]
    records = list(read(release(tmp_path, rows)))
    assert [reason for _, reason in excluded(records)] == ["sentence_of_many_functions"] * 2
    assert [question.holder for question in of(Question, records)] == ["codesearchnet:ruby"]


def test_rows_that_cannot_be_addressed_or_would_leak_are_left_out(tmp_path: Path) -> None:
    shard = "python/final/jsonl/test/python_test_0.jsonl.gz"
    older = row("a.py#L1-L2", "a")
    del older["url"]
    rows = [
        older,
        row("a.py#L1-L2", "a", url="https://github.com/small/house/blob/main/a.py#L1-L2"),
        DOORS,
        DOORS,
        row("c.py#L1-L2", "c", "def c():\n    'Shut all doors of it.'", "Shut all of the doors."),
    ]
    records = list(read(release(tmp_path, rows)))
    reasons = [
        (f"{shard}/0", "no_url"),
        (f"{shard}/1", "no_url"),
        (f"{shard}/3", "url_repeats"),
        (f"{shard}/4", "docstring_not_separable"),
    ]
    assert excluded(records, "document") == reasons
    assert excluded(records, "question") == reasons
    assert len(of(Document, records)) == 1
    assert_all_rows_are_accounted_for(records)


def test_gold_is_what_people_found_relevant_graded_by_their_mean(tmp_path: Path) -> None:
    doors, windows, keys = DOORS["url"], WINDOWS["url"], KEYS["url"]
    judgements = f"""Python,Count Doors,{doors},3,
Python,count doors,{doors},0,
Python,count doors,{windows},0,"a note
of two lines, and a comma"
Python,count doors,{url("gone.py#L1-L2")},2,
Python,count doors,{keys},3,
JavaScript,count doors,{keys},1,
Python,windows,{windows},2,"""
    records = list(read(release(tmp_path, [DOORS, WINDOWS, KEYS], judgements)))
    assert [(query.holder, query.question, query.item, query.about) for query in judged(records)] == [
        ("codesearchnet:python", "count doors", "annotationStore.csv/0", "python"),
        ("codesearchnet:javascript", "count doors", "annotationStore.csv/5", "javascript"),
        ("codesearchnet:python", "windows", "annotationStore.csv/6", "python"),
    ]
    prefix = f"codesearchnet/small/house/blob/{REVISION}"
    assert [query.gold for query in judged(records)] == [
        [Gold(f"{prefix}/doors.py#L10-L14", {"path": "doors.py", "symbol": "House.doors"}, 1.5)],
        [Gold(f"{prefix}/keys.js#L3-L9", {"path": "keys.js", "line": 3}, 1.0)],
        [Gold(f"{prefix}/win dows.py#L1-L2", {"path": "win dows.py", "symbol": "windows"}, 2.0)],
    ]
    assert of(Resolved, records) == [
        Resolved("annotationStore.csv/0", "mean_of_annotators", f"relevance of {doors}", [3, 0], 1.5)
    ]
    assert [pair for pair in excluded(records) if pair[0].startswith("annotationStore")] == [
        ("annotationStore.csv/1", "judgement_of_a_kept_query"),
        ("annotationStore.csv/2", "judgement_of_a_kept_query"),
        ("annotationStore.csv/3", "missing_document"),
        # A function of another language than the one that is asked.
        ("annotationStore.csv/4", "missing_document"),
    ]
    assert_all_rows_are_accounted_for(records)


def test_a_query_without_positives_is_no_evidence_of_unanswerable(tmp_path: Path) -> None:
    judgements = f"""Python,close doors,{DOORS["url"]},0,
Python,close doors,{url("gone.py#L1-L2")},0,"""
    records = list(read(release(tmp_path, [DOORS], judgements)))
    assert judged(records) == []
    assert excluded(records) == [
        ("annotationStore.csv/0", "no_positive_judgement"),
        ("annotationStore.csv/1", "no_positive_judgement"),
    ]


def test_a_query_whose_relevant_functions_are_not_at_hand_is_left_out_whole(tmp_path: Path) -> None:
    judgements = f"""Python,close doors,{DOORS["url"]},0,
Python,close doors,{url("gone.py#L1-L2")},3,"""
    records = list(read(release(tmp_path, [DOORS], judgements)))
    assert judged(records) == []
    assert excluded(records) == [
        ("annotationStore.csv/0", "missing_document"),
        ("annotationStore.csv/1", "missing_document"),
    ]
    assert_all_rows_are_accounted_for(records)


def test_parts_bound_what_is_read(tmp_path: Path) -> None:
    release(tmp_path, [WINDOWS], part="valid")
    raw = release(tmp_path, [DOORS])
    assert [document.title for document in of(Document, list(read(raw)))] == ["House.doors (doors.py)"]
    both = raw._replace(options={"parts": ["valid", "test"]})
    assert len(of(Document, list(read(both)))) == 2


@pytest.mark.parametrize("parts", [["validation"], [], "test"])
def test_a_part_that_is_none_is_refused(tmp_path: Path, parts: object) -> None:
    with pytest.raises(BenchError, match="allowed: a list of train, valid, test"):
        list(read(release(tmp_path, [], parts=parts)))


def test_a_broken_shard_is_named(tmp_path: Path) -> None:
    raw = release(tmp_path, [DOORS])
    shard = next(tmp_path.glob("python/**/*.gz"))
    whole = shard.read_bytes()
    for broken in (whole[:-12], b"no gzip", gzip.compress(b"{not json}\n")):
        shard.write_bytes(broken)
        with pytest.raises(BenchError, match=r"python_test_0\.jsonl\.gz is no gzip file of JSON lines"):
            list(read(raw))


def test_a_row_without_its_keys_is_named(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"python_test_0\.jsonl\.gz/0 lacks code, docstring, func_name"):
        list(read(release(tmp_path, [{"language": "python", "function": "def f(): pass"}])))


@pytest.mark.parametrize("relevance", ["4", "-1", "", "1.5"])
def test_a_relevance_out_of_bounds_is_refused(tmp_path: Path, relevance: str) -> None:
    with pytest.raises(BenchError, match=r"annotationStore\.csv/0 has relevance .*; allowed: 0 to 3"):
        list(read(release(tmp_path, [], f"Go,doors,{url('a.go#L1-L2')},{relevance},")))


def test_other_columns_are_refused(tmp_path: Path) -> None:
    raw = release(tmp_path, [])
    (tmp_path / "annotationStore.csv").write_text("query,url\n")
    with pytest.raises(BenchError, match=r"has columns \['query', 'url'\]; expected"):
        list(read(raw))


def test_the_real_judgements_have_no_functions_at_hand(mirror: Path) -> None:
    records = list(read(Raw(mirror / "codesearchnet", "codesearchnet", "106e8274", {})))
    assert [(rows.kind, rows.total) for rows in of(Rows, records)] == [
        ("document", 0),
        ("question", 0),
        ("question", 4006),
    ]
    assert Counter(reason for _, reason in excluded(records)) == {
        "missing_document": 3848,
        "no_positive_judgement": 158,
    }
    spaced = [record for record in of(Excluded, records) if "JMapper Framework" in record.detail]
    assert len(spaced) == 4
    assert_all_rows_are_accounted_for(records)


def test_the_real_rows_of_the_older_key_set_have_no_url(mirror: Path, tmp_path: Path) -> None:
    raw = release(tmp_path, [])
    shard = tmp_path / "python/final/jsonl/test/python_test_0.jsonl.gz"
    shard.parent.mkdir(parents=True)
    shutil.copyfile(mirror / "codesearchnet" / "tests_python.jsonl.gz", shard)
    records = list(read(raw))
    assert Counter(reason for _, reason in excluded(records, "document")) == {"no_url": 256}
    assert Counter(reason for _, reason in excluded(records, "question")) == {"no_url": 256}
    assert of(Document, records) == []
