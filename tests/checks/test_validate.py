"""What validate writes, prints and exits with."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from breaking import param, row, run, scope, set_to, text
from small_suite import valid

from bench.errors import BenchError
from bench.suite import ROOT
from bench.validate import report, validate


def test_validation_json_counts_everything_and_says_no_absolute_path(tmp_path: Path) -> None:
    validation = run(tmp_path, row(1, text('"answer":null', '"answer":NaN')), param(max_share=0.9))
    written = (tmp_path / "validation.json").read_text()
    document = json.loads(written)
    assert document["by_code"] == {"E101": 1, "W160": 1}
    assert (document["errors"], document["warnings"]) == (1, 1)
    assert document["checked"] == {"queries": 70, "sources": 42}
    assert [finding["code"] for finding in document["findings"]] == ["E101", "W160"]
    assert str(tmp_path) not in written
    assert validation.errors[0].query_id == valid().sets["pdf"][0]["query_id"]


def test_the_report_has_one_line_a_finding(tmp_path: Path) -> None:
    files = valid()
    row(16, scope(holder="h0"))(files)
    row(5, text('"query_id":"', '"query_id":"\\u001b[31m\\n'))(files)
    suite = files.write(tmp_path)
    lines = list(report(suite, validate(suite)))
    query_id = files.sets["pdf"][15]["query_id"]
    assert lines[1] == f"E123 {tmp_path}/sets/pdf.jsonl:16 {query_id} docs/15 of h1; allowed: a source of h0"
    assert all(line.isprintable() for line in lines)
    assert lines[-1] == "validate: 70 queries and 42 sources, 2 errors, 0 warnings (E102 1, E123 1)"


def test_many_findings_are_cut_in_print_and_counted(tmp_path: Path) -> None:
    files = valid()
    files.sets["conversation"] += [b"{\n"] * 1200
    suite = files.write(tmp_path)
    validation = validate(suite)
    lines = list(report(suite, validation))
    assert len(validation.errors) == 1200
    assert "and 1000 more errors" in lines[200]
    assert len(json.loads((tmp_path / "validation.json").read_text())["findings"]) == 1000


@pytest.mark.parametrize(
    ("file", "content", "says"),
    [
        ("params.yaml", '{"sources": ["docs"], "split": {"dev": 0.5}}', "min_queries"),
        ("params.yaml", json.dumps(valid().params | {"split": {"dev": 2}}), "split.dev"),
        ("params.yaml", json.dumps({key: valid().params[key] for key in ("sources", "validate")}), "split.dev"),
        ("metrics/dataset.json", '{"by_source": {"docs": 3}}', "run that stage again"),
        ("corpus/manifest.jsonl", "{", "manifest.jsonl:1"),
    ],
)
def test_what_stages_write_has_to_be_whole(file: str, content: str, says: str, tmp_path: Path) -> None:
    suite = valid().write(tmp_path)
    (tmp_path / file).write_text(content)
    with pytest.raises(BenchError, match=says):
        validate(suite)


def stage(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "stages/validate.py", "--suite", str(folder)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_stage_passes_on_warnings_and_fails_on_an_error(tmp_path: Path) -> None:
    files = valid()
    param(max_share=0.9)(files)
    files.write(tmp_path)
    passed = stage(tmp_path)
    assert (passed.returncode, passed.stderr) == (0, "")
    assert passed.stdout.startswith("W160 ")
    row(3, set_to(split="train"))(files)
    files.write(tmp_path)
    failed = stage(tmp_path)
    assert failed.returncode == 1
    assert failed.stdout.startswith(f"E102 {tmp_path}/sets/pdf.jsonl:3 ")
    assert json.loads((tmp_path / "validation.json").read_text())["errors"] == 1


def test_a_stage_that_has_not_run_is_named_without_a_traceback(tmp_path: Path) -> None:
    valid().write(tmp_path)
    (tmp_path / "corpus/manifest.jsonl").unlink()
    failed = stage(tmp_path)
    assert failed.returncode == 1
    assert "manifest.jsonl is missing" in failed.stderr
    assert "Traceback" not in failed.stderr
