"""The script that makes a pull request's report, on a real repository."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.diff.markdown import MARKER
from bench.root import ROOT

SCRIPT = ROOT / ".github" / "scripts" / "report.py"
COMMENT = ROOT / ".github" / "scripts" / "comment.py"
_spec = importlib.util.spec_from_file_location("comment", COMMENT)
comment = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(comment)


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=A. Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "state")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of this repository's starter suite as metrics alone, on a branch that left `main`."""
    folder = tmp_path / "repository"
    folder.mkdir()
    for name in ("metrics", "dvc.yaml", "dvc.lock", "params.yaml"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, folder / name)
    for latency in folder.glob("metrics/*/latency.json"):
        latency.unlink()
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder)
    git(folder, "checkout", "--quiet", "-b", "change")
    return folder


def lower(folder: Path, numerator: float) -> None:
    """Let bm25 have found fewer."""
    path = folder / "metrics" / "bm25" / "scores.json"
    scores = json.loads(path.read_text())
    record = scores["all"]["dev"]["recall@10"]
    record |= {"numerator": numerator, "value": numerator / record["denominator"]}
    record["of"] = f"{numerator}/{record['denominator']}, n={record['n']}"
    path.write_text(json.dumps(scores))


def report(repository: Path, *options: str, base: str = "main") -> tuple[subprocess.CompletedProcess[str], Path]:
    folder = repository.parent / "report"
    done = subprocess.run(
        [sys.executable, SCRIPT, base, "12", folder, *options],
        cwd=repository,
        env=os.environ | {"GITHUB_STEP_SUMMARY": str(repository.parent / "summary.md")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done, folder


def test_a_regression_is_reported_in_every_form_and_by_the_exit_code(repository: Path) -> None:
    lower(repository, 100.0)
    commit(repository)
    done, folder = report(repository, "--fail-on", "recall@10:-0.02")
    assert done.returncode == 1, done.stderr
    text = (folder / "comment.md").read_text(encoding="utf-8")
    assert text.startswith(f"{MARKER}\n## evidence-bench: regressed")
    assert "100/165" in text
    comment.check(text)
    assert (folder / "number").read_text() == "12\n"
    assert "What changed: regressed" in (folder / "report.html").read_text(encoding="utf-8")
    assert json.loads((folder / "report.json").read_text())["suites"][0]["suite"] == "bench"
    assert (repository.parent / "summary.md").read_text(encoding="utf-8") == text


def test_no_change_is_fine(repository: Path) -> None:
    done, folder = report(repository, "--fail-on", "recall@10:-0.02")
    assert done.returncode == 0, done.stderr
    assert "## evidence-bench: fine" in (folder / "comment.md").read_text(encoding="utf-8")


def test_a_base_that_cannot_be_rebuilt_is_told_and_its_metrics_are_compared(repository: Path) -> None:
    """The repository of this test has no stages to rebuild it with."""
    lower(repository, 100.0)
    done, _ = report(repository)
    assert done.returncode == 0
    assert "the base cannot be rebuilt" in done.stdout


@pytest.mark.parametrize("base", ["nonesuch", "origin/$(touch owned)"])
def test_a_base_that_is_none_cannot_be_compared_and_the_comment_says_why(repository: Path, base: str) -> None:
    done, folder = report(repository, base=base)
    assert done.returncode == 2
    text = (folder / "comment.md").read_text(encoding="utf-8")
    assert text.startswith(f"{MARKER}\n## evidence-bench: cannot compare\n")
    assert "fetch-depth: 0" in text
    comment.check(text)
    assert (repository.parent / "summary.md").read_text(encoding="utf-8") == text


def test_a_bench_diff_that_ends_without_a_report_never_passes_as_regressed(repository: Path) -> None:
    """An option that it does not know."""
    done, folder = report(repository, "--nonesuch")
    assert done.returncode == 2
    assert "No such option" in (folder / "comment.md").read_text(encoding="utf-8")


def test_broken_metrics_cannot_be_compared_and_the_old_report_is_gone(repository: Path) -> None:
    report(repository)
    (repository / "metrics" / "bm25" / "scores.json").write_text("{")
    done, folder = report(repository)
    assert done.returncode == 2
    text = (folder / "comment.md").read_text(encoding="utf-8")
    assert "cannot compare" in text
    assert "scores.json of workspace is not valid JSON" in text
    comment.check(text)
