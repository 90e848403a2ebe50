"""The workflows of a pull request: what they may do, and that their scripts run."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from bench.root import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTIONS = {"actions/checkout", "actions/setup-python", "actions/upload-artifact", "actions/download-artifact"}


def read(path: Path) -> dict[str, Any]:
    return YAML(typ="safe").load(path.read_text(encoding="utf-8"))


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def named(name: str) -> dict[str, Any]:
    return read(ROOT / ".github" / "workflows" / name)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
class TestEvery:
    def test_only_maintained_actions_at_a_major_version(self, path: Path) -> None:
        uses = [step["uses"] for step in steps(read(path)) if "uses" in step]
        assert {action.partition("@")[0] for action in uses} <= ACTIONS
        assert all(re.fullmatch(r"v\d+", action.partition("@")[2]) for action in uses)

    def test_scripts_are_shell_and_take_nothing_by_substitution(self, path: Path) -> None:
        """A branch may be called $(rm -rf .): what comes from outside reaches a script through its environment."""
        for step in steps(read(path)):
            if "run" in step:
                assert "${{" not in step["run"]
                checked = subprocess.run(["bash", "-n"], input=step["run"], capture_output=True, text=True, check=False)
                assert checked.returncode == 0, checked.stderr

    def test_files_that_scripts_name_are_there(self, path: Path) -> None:
        for step in steps(read(path)):
            for name in re.findall(r"(?<![\w/])\.(?:github|ci)/[\w./-]+", step.get("run", "")):
                assert (ROOT / name).is_file(), name

    def test_no_job_runs_for_ever(self, path: Path) -> None:
        assert all(job["timeout-minutes"] <= 60 for job in read(path)["jobs"].values())


class TestPullRequest:
    workflow = named("pull-request.yml")

    def test_may_only_read_and_needs_no_secret(self) -> None:
        assert self.workflow["permissions"] == {"contents": "read"}
        assert "secrets." not in (ROOT / ".github/workflows/pull-request.yml").read_text(encoding="utf-8")

    def test_checks_out_the_whole_history_of_the_merge(self) -> None:
        (checkout,) = (step for step in steps(self.workflow) if step.get("uses", "").startswith("actions/checkout"))
        assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}

    def test_the_report_is_made_and_kept_whatever_the_rebuild_says(self) -> None:
        by_name = {step.get("name"): step for step in steps(self.workflow)}
        assert "!cancelled()" in by_name["Compare with the base"]["if"]
        assert "!cancelled()" in by_name["Keep the report"]["if"]

    @pytest.mark.parametrize("code", [0, 1, 2])
    def test_the_outcome_is_kept_for_the_end(self, tmp_path: Path, code: int) -> None:
        """The step's own script hands on the code that report.py ends in; the last step ends in it."""
        python = tmp_path / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\necho "$@" > arguments\nexit {code}\n')
        python.chmod(0o755)
        by_name = {step.get("name"): step for step in steps(self.workflow)}
        environment = {
            "PATH": str(Path(shutil.which("bash")).parent),
            "BASE": "main; touch owned",
            "NUMBER": "12",
            "FAIL_ON": "recall@10:-0.02",
            "GITHUB_OUTPUT": str(tmp_path / "output"),
        }
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
        subprocess.run([*shell, by_name["Compare with the base"]["run"]], cwd=tmp_path, env=environment, check=True)
        assert (tmp_path / "output").read_text() == f"code={code}\n"
        assert (tmp_path / "arguments").read_text() == (
            ".github/scripts/report.py origin/main; touch owned 12 outputs/report --fail-on recall@10:-0.02\n"
        )
        assert not (tmp_path / "owned").exists()
        last = steps(self.workflow)[-1]
        ended = subprocess.run([*shell, last["run"]], env=environment | {"CODE": str(code)}, check=False)
        assert ended.returncode == code

    def test_the_merge_is_rebuilt_once(self) -> None:
        """ci.yml leaves the Python of this workflow out of its own rebuilds of a pull request."""
        matrix = named("ci.yml")["jobs"]["starter"]["strategy"]["matrix"]["python-version"]
        assert """github.event_name == 'pull_request' && '["3.13"]'""" in matrix
        (setup,) = (step for step in steps(self.workflow) if step.get("uses", "").startswith("actions/setup-python"))
        assert setup["with"]["python-version"] == "3.11"


class TestComment:
    workflow = named("comment.yml")

    def test_follows_the_run_that_leaves_the_report(self) -> None:
        trigger = self.workflow["on"]["workflow_run"]
        assert trigger == {"workflows": [named("pull-request.yml")["name"]], "types": ["completed"]}

    def test_may_write_comments_and_nothing_else(self) -> None:
        assert self.workflow["permissions"] == {"actions": "read", "contents": "read", "pull-requests": "write"}

    def test_runs_no_code_of_the_pull_request(self) -> None:
        (checkout,) = (step for step in steps(self.workflow) if step.get("uses", "").startswith("actions/checkout"))
        assert "ref" not in checkout["with"]
        assert "repository" not in checkout["with"]
        (script,) = (step["run"] for step in steps(self.workflow) if "run" in step)
        assert script == 'python3 .github/scripts/comment.py "$RUNNER_TEMP/report"'

    def test_takes_the_artifact_that_was_left(self) -> None:
        left, taken = (
            next(step["with"] for step in steps(workflow) if f"{verb}-artifact" in step.get("uses", ""))
            for workflow, verb in ((named("pull-request.yml"), "upload"), (self.workflow, "download"))
        )
        assert left["name"] == taken["name"]
        assert taken["run-id"] == "${{ github.event.workflow_run.id }}"
