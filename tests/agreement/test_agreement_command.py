"""`bench agreement`: what is printed and written, and the exit codes."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bench.cli import app
from bench.root import ROOT

GOOD = {"p": "aaa", "q": "bbb", "r": "aab", "s": "ccc", "t": "aaa", "u": "bbb"}


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, ["agreement", *map(str, arguments)])


def votes_file(folder: Path, items: dict[str, str]) -> Path:
    """{item: one letter a rater}; s is a skip, written out."""
    path = folder / "pages.jsonl"
    rows = [
        {"item": item, "annotator": f"r{rater}", "label": {"-": "skip"}.get(letter, letter)}
        for item, letters in items.items()
        for rater, letter in enumerate(letters)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_an_accepted_set_gives_gold_and_what_needs_a_person(tmp_path: Path) -> None:
    votes = votes_file(tmp_path, GOOD | {"tie": "abc", "few": "aa-"})
    gold, items, metrics = (tmp_path / "out" / name for name in ("gold.jsonl", "items.jsonl", "agreement.json"))
    result = run(votes, "--categories", "a,b,c", "--gold", gold, "--items", items, "--metrics", metrics)
    assert result.exit_code == 0, result.output
    assert "accept: krippendorff_alpha 0.665 reaches 0.6" in result.stdout
    assert (
        "items with a majority: 6; for adjudication: 1 with too few votes, 1 tied, 0 without a majority"
        in result.stdout
    )
    assert [line["item"] for line in read(gold)] == ["p", "q", "r", "s", "t", "u"]
    assert read(gold)[2] == {"item": "r", "label": "a", "n_raters": 3, "n_agreeing": 2, "agreement": 0.333333333}
    beside = tmp_path / "out" / "gold.adjudicate.jsonl"
    assert [(line["item"], line["reason"]) for line in read(beside)] == [("few", "too_few_votes"), ("tie", "tie")]
    assert len(read(items)) == 8
    report = json.loads(metrics.read_text())
    assert report["gate"]["outcome"] == "accept"
    assert report["items"] == {"gold": 6, "too_few_votes": 1, "tie": 1, "no_majority": 0}
    assert report["n_skipped"] == 1


def leaves(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, f"{path}/{key}")]
    return [(path, value)]


@pytest.mark.parametrize("items", [GOOD, {"p": "aaa"}, {}, {"p": "a"}, {"p": "ab-", "q": "ccc"}])
def test_a_metric_has_names_and_numbers_only(tmp_path: Path, items: dict[str, str]) -> None:
    metrics = tmp_path / "agreement.json"
    assert run(votes_file(tmp_path, items), "--categories", "a,b,c", "--metrics", metrics, "--no-gate").exit_code == 0
    for path, value in leaves(json.loads(metrics.read_text())):
        assert isinstance(value, int | float | str), path
        assert "." not in path
    assert b"NaN" not in metrics.read_bytes()


@pytest.mark.parametrize(
    ("items", "code", "says"),
    [
        ({"p": "aab", "q": "bba", "r": "abc"}, 1, "reject: fleiss_kappa"),
        ({"p": "aaa", "q": "aaa"}, 2, "undetermined: fleiss_kappa is undefined"),
        ({"p": "a", "q": "b"}, 1, "reject: no item has 3 votes"),
        ({}, 2, "undetermined: there are no items"),
    ],
)
def test_no_gold_where_the_set_is_not_accepted(tmp_path: Path, items: dict[str, str], code: int, says: str) -> None:
    gold = tmp_path / "gold.jsonl"
    result = run(votes_file(tmp_path, items), "--categories", "a,b,c", "--gold", gold)
    assert result.exit_code == code
    assert says in result.stdout
    assert "no gold is written" in result.stderr
    assert not gold.exists()
    assert (tmp_path / "gold.adjudicate.jsonl").exists()
    gold.write_text("old\n")
    again = run(votes_file(tmp_path, items), "--categories", "a,b,c", "--gold", gold)
    assert "of an earlier run" in again.stderr
    assert gold.read_text() == "old\n"


def test_options_raise_the_bar(tmp_path: Path) -> None:
    votes = votes_file(tmp_path, GOOD)
    assert run(votes, "--categories", "a,b,c").exit_code == 0
    assert "5 votes" in run(votes, "--categories", "a,b,c", "--critical").stdout
    report = json.loads(run(votes, "--categories", "a,b,c", "--benchmark", "--ordinal", "--json").stdout)
    assert report["gate"]["min_kappa"] == 0.8
    assert report["gate"]["measure"] == "krippendorff_alpha"
    assert report["krippendorff_alpha"]["level"] == "ordinal"


def test_the_file_beside_the_votes_declares(tmp_path: Path) -> None:
    votes = votes_file(tmp_path, GOOD)
    (tmp_path / "pages.yaml").write_text("categories: [a, b, c]\ncritical: true\n")
    assert run(votes).exit_code == 1
    assert "no item has 5 votes" in run(votes).stdout


def test_faults_are_no_rejection(tmp_path: Path) -> None:
    undeclared = run(votes_file(tmp_path, GOOD))
    assert undeclared.exit_code == 2
    assert "not declared" in undeclared.stderr
    faulty = run(votes_file(tmp_path, {"p": "axa"}), "--categories", "a,b")
    assert faulty.exit_code == 2
    assert "pages.jsonl:2 label 'x' is not declared" in faulty.stderr
    assert faulty.stdout == ""
    assert run(tmp_path / "none.jsonl", "--categories", "a,b").exit_code == 2


def test_votes_or_upstream() -> None:
    assert run().exit_code == 2
    assert run("votes.jsonl", "--upstream").exit_code == 2


def test_piped_output_is_tab_separated(tmp_path: Path) -> None:
    lines = run(votes_file(tmp_path, GOOD), "--categories", "a,b,c").stdout.splitlines()
    header = ["measure", "of", "value", "low", "high", "items", "raters", "raw", "note"]
    assert lines[0].split("\t") == header
    assert all(len(line.split("\t")) == len(header) for line in lines[:-2])
    assert lines[2].split("\t")[:3] == ["fleiss_kappa", "all", "0.822"]


def test_a_terminal_gets_a_table_with_reasons_below(tmp_path: Path) -> None:
    votes = votes_file(tmp_path, {"p": "aaa", "q": "bb-", "r": "abb"})
    reader, writer = pty.openpty()
    command = [sys.executable, "-c", "from bench.cli import app; app()", "agreement", votes, "--categories", "a,b"]
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    process = subprocess.Popen(command, stdout=writer, stderr=subprocess.DEVNULL, cwd=ROOT, env=environment)
    os.close(writer)
    shown = b""
    try:
        while block := os.read(reader, 4096):
            shown += block
    except OSError:  # the end of a terminal on Linux
        pass
    process.wait()
    text = shown.decode()
    assert "\t" not in text
    assert "fleiss_kappa, all: items have 2 to 3 votes" in text
    assert max(map(len, text.splitlines())) <= 100


def test_the_starter_s_upstreams() -> None:
    lines = [line.split("\t") for line in run("--upstream").stdout.splitlines()]
    by_source = {cells[0]: cells for cells in lines[1:]}
    assert by_source["starter-locomo"][-1] == "not published"
    assert by_source["starter-qvhighlights"][-1] in ("nominal", "not fetched")
    document = json.loads(run("--upstream", "--json").stdout)
    assert document["starter-locomo"] == "not published"
