"""The files around the code: set-up, locks, git and DVC settings, CI, and what no file of the repository may name."""

import configparser
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

import bench

ROOT = Path(__file__).resolve().parent.parent
STAGES = ("fetch", "verify", "normalize", "validate", "retrieve", "score")
TARGETS = ("help", "repro", "test", "lint", "format", "third-party", "diff", "relock", "lock")
LOCKS = ("main.lock", "dev.lock", "bench.lock")
REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>\S+)( ; .+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `command` to its end, whatever its exit code, outside of any `make` that runs the tests."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "GIT_"))}
    return subprocess.run(
        command, cwd=cwd, env={**outer, **environment}, capture_output=True, text=True, timeout=120, check=False
    )


def git(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """git without the settings of whoever runs the tests."""
    identity = ("-c", "user.name=A. Tester", "-c", "user.email=tester@example.org", "-c", "init.defaultBranch=main")
    return run("git", *identity, *arguments, cwd=cwd, GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1")


def yaml(path: str) -> dict:
    return YAML(typ="safe").load((ROOT / path).read_text(encoding="utf-8"))


def normal(name: str) -> str:
    """A distribution's name as locks write it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lock: str) -> dict[str, str]:
    """{name: version} of a lock."""
    lines = (ROOT / "requirements" / lock).read_text(encoding="utf-8").splitlines()
    return {found["name"]: found["version"] for line in lines if (found := REQUIREMENT.fullmatch(line))}


class TestMake:
    def test_help_is_the_default_and_lists_every_target(self):
        shown = run("make", "--no-print-directory")
        assert shown.returncode == 0, shown.stderr
        assert tuple(re.findall(r"^  make (\S+) +\S", shown.stdout, re.MULTILINE)) == TARGETS

    @pytest.mark.parametrize(
        ("target", "command"),
        [
            ("repro", "dvc repro"),
            ("test", "python -m pytest"),
            ("lint", "mypy"),
            ("format", "ruff format"),
            ("third-party", "dvc repro suites/third-party/dvc.yaml"),
            ("diff", "dvc metrics diff"),
            ("lock", "pip compile"),
        ],
    )
    def test_target_runs_its_command(self, target, command):
        dry = run("make", "--dry-run", target)
        assert dry.returncode == 0, dry.stderr
        assert command in dry.stdout

    @pytest.mark.parametrize("target", ["repro", "test", "lint", "third-party", "diff"])
    def test_every_target_sets_up_from_nothing(self, tmp_path, target):
        """Dry, in a tree without .venv: the environment is made before anything is called from it."""
        copy_of_setup(tmp_path)
        dry = run("make", "--dry-run", target, cwd=tmp_path)
        assert dry.returncode == 0, dry.stderr
        lock = "dev.lock" if target in ("test", "lint") else "main.lock"
        made, installed = dry.stdout.index("-m venv .venv"), dry.stdout.index(f"--requirement requirements/{lock}")
        assert made < installed

    def test_an_installed_lock_is_not_installed_again(self, tmp_path):
        copy_of_setup(tmp_path)
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        for name in ("bin/python", "main.stamp"):
            (tmp_path / ".venv" / name).touch()
        assert "pip" not in run("make", "--dry-run", "repro", cwd=tmp_path).stdout
        later = (tmp_path / ".venv" / "main.stamp").stat().st_mtime + 5
        os.utime(tmp_path / "requirements" / "main.lock", (later, later))
        assert "--requirement requirements/main.lock" in run("make", "--dry-run", "repro", cwd=tmp_path).stdout

    @pytest.mark.parametrize(
        ("script", "said"),
        [
            ("exit 1", "no Python 3.11, 3.12 or 3.13"),
            ('case "$*" in *ensurepip*) exit 1;; esac', "apt-get install python3-venv"),
        ],
        ids=["too old", "without venv"],
    )
    def test_an_unsuitable_python_is_named_with_what_to_install(self, tmp_path, script, said):
        copy_of_setup(tmp_path)
        python = tmp_path / "python"
        python.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        python.chmod(0o755)
        failed = run("make", "repro", "PYTHON=./python", cwd=tmp_path)
        assert failed.returncode != 0
        assert said in failed.stderr
        assert "./python" in failed.stderr
        assert not (tmp_path / ".venv").exists()


def copy_of_setup(directory: Path) -> None:
    """What `make` reads before there is an environment."""
    for name in ("Makefile", "pyproject.toml", "requirements"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, directory / name)


class TestLocks:
    @pytest.mark.parametrize("lock", LOCKS)
    def test_every_requirement_is_pinned_and_hashed(self, lock):
        lines = (ROOT / "requirements" / lock).read_text(encoding="utf-8").splitlines()
        starts = [number for number, line in enumerate(lines) if not line.startswith((" ", "#"))]
        assert len(starts) > 100
        for number in starts:
            assert REQUIREMENT.fullmatch(lines[number]), lines[number]
            assert HASH.fullmatch(lines[number + 1]), f"{lines[number]} has no hash"

    @pytest.mark.parametrize("lock", LOCKS)
    def test_no_address_is_named(self, lock):
        text = (ROOT / "requirements" / lock).read_text(encoding="utf-8")
        assert re.findall(r"https?:|file:|git\+|--\w*index|--find-links| @ ", text) == []

    def test_main_lock_holds_every_dependency_of_the_package(self):
        names = [normal(re.match(r"[A-Za-z0-9._-]+", item)[0]) for item in PYPROJECT["project"]["dependencies"]]
        assert sorted(set(names) - pins("main.lock").keys()) == []

    def test_dev_lock_holds_main_lock(self):
        assert pins("main.lock").items() <= pins("dev.lock").items()


class TestGit:
    @pytest.mark.parametrize("folder", ["", "suites/third-party/"])
    def test_locks_that_two_branches_rebuilt_conflict(self, tmp_path, folder):
        """Without the attribute git merges them cleanly, into the lock of a run that nobody made."""
        assert merge_two_rebuilds(tmp_path / "plain", folder, attributes="") == "merged"
        ours = (ROOT / ".gitattributes").read_text(encoding="utf-8")
        assert merge_two_rebuilds(tmp_path / "ours", folder, attributes=ours) == "conflict"

    @pytest.mark.parametrize(
        ("path", "attribute", "value"),
        [
            ("metrics/bm25/scores.json", "eol", "lf"),
            ("suites/third-party/sets/pdf.jsonl", "eol", "lf"),
            ("bench/sources/locomo.yaml", "eol", "lf"),
            ("labels.csv", "eol", "lf"),
            ("bench/ids.py", "eol", "lf"),
            ("README.md", "eol", "lf"),
            ("docs/page.pdf", "text", "unset"),
            ("docs/page.png", "text", "unset"),
            ("bench/starter/codesearchnet/annotationStore.csv", "text", "unset"),
            ("bench/starter/locomo/locomo10.json", "text", "unset"),
        ],
    )
    def test_line_endings(self, path, attribute, value):
        assert run("git", "check-attr", attribute, "--", path).stdout.strip() == f"{path}: {attribute}: {value}"

    def test_no_file_names_a_machine_a_workplace_or_a_registry(self):
        forbidden = re.compile(
            rb"(?<![\w.~-])[/](?:work|root|tmp|home)/"  # paths of one machine
            rb"|farm-(?:bench|studio)|[.]library/"
            rb"|pypi[.]org|python" + rb"hosted|npmjs[.]"  # package registries
            rb"|https?://[^\s\"']+/simple/?(?=[\s\"'])|--(?:extra-)?index-url"
        )
        listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").stdout
        paths = [ROOT / name for name in listed.split("\0") if name]
        assert len(paths) > 20
        found = {
            f"{path.relative_to(ROOT)}: {match[0].decode()}"
            for path in paths
            if path.is_file()
            for match in forbidden.finditer(path.read_bytes())
        }
        assert sorted(found) == []


def merge_two_rebuilds(repository: Path, folder: str, attributes: str) -> str:
    """What git makes of two branches that each rebuilt another stage: `merged` or `conflict`."""

    def commit(normalize: str, score: str) -> None:
        stages = (("normalize", normalize), ("validate", "same"), ("retrieve", "same"), ("score", score))
        text = "".join(f"  {name}:\n    cmd: {name}\n    outs:\n    - md5: {md5}\n" for name, md5 in stages)
        (repository / folder / "dvc.lock").write_text(f"schema: '2.0'\nstages:\n{text}", encoding="utf-8")
        assert git("add", "--all", cwd=repository).returncode == 0
        assert git("commit", "--quiet", "--message", "rebuild", cwd=repository).returncode == 0

    (repository / folder).mkdir(parents=True)
    git("init", "--quiet", cwd=repository)
    (repository / ".gitattributes").write_text(attributes, encoding="utf-8")
    commit(normalize="old", score="old")
    git("checkout", "--quiet", "-b", "labels", cwd=repository)
    commit(normalize="new", score="old")
    git("checkout", "--quiet", "main", cwd=repository)
    commit(normalize="old", score="new")
    merge = git("merge", "--no-edit", "labels", cwd=repository)
    unmerged = git("diff", "--name-only", "--diff-filter=U", cwd=repository).stdout.split()
    if merge.returncode == 0:
        return "merged"
    assert unmerged == [f"{folder}dvc.lock"], merge.stdout + merge.stderr
    return "conflict"


class TestDvc:
    def test_sends_nothing_home(self):
        config = configparser.ConfigParser()
        config.read_string(
            re.sub(r"^\s+", "", (ROOT / ".dvc" / "config").read_text(encoding="utf-8"), flags=re.MULTILINE)
        )
        assert not config.getboolean("core", "analytics")
        assert not config.getboolean("core", "check_update")

    def test_files_that_running_leaves_behind_are_no_data(self):
        """DVC's own .gitignore files and bytecode would else change the hash of a folder that a stage reads."""
        names = ["bench/raw/.gitignore", "bench/upstream/__pycache__/base.cpython-311.pyc", "bench/ids.pyc"]
        assert run(sys.executable, "-m", "dvc", "check-ignore", *names).stdout.splitlines() == names
        assert run(sys.executable, "-m", "dvc", "check-ignore", "bench/ids.py").stdout == ""

    @pytest.mark.parametrize("stage", STAGES)
    def test_stage_script_explains_itself(self, stage):
        shown = run(sys.executable, f"stages/{stage}.py", "--help", NO_COLOR="1", TERM="dumb", COLUMNS="120")
        assert shown.returncode == 0, shown.stderr
        assert "--suite" in shown.stdout


class TestCi:
    def test_workflow_may_only_read_and_uses_no_third_party_action(self):
        workflow = yaml(".github/workflows/ci.yml")
        assert workflow["permissions"] == {"contents": "read"}
        steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
        actions = {step["uses"].partition("@")[0] for step in steps if "uses" in step}
        assert actions == {"actions/checkout", "actions/setup-python"}

    def test_workflow_runs_every_step_that_needs_no_mirror(self):
        steps = set(re.findall(r"^step_(\S+)\(\)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE))
        assert steps == {"repro", "lint", "test", "starter", "third-party"}
        commands = re.findall(r"run: \.ci/run (.+)", (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
        assert {step for command in commands for step in command.split()} == steps - {"third-party"}

    def test_an_unknown_step_stops_before_anything_runs(self):
        refused = run(".ci/run", "lint", "nonesuch")
        assert refused.returncode == 2
        assert "no step nonesuch" in refused.stderr
        assert refused.stdout == ""

    def test_a_skipped_test_is_found_with_its_reason(self, tmp_path):
        (tmp_path / "test_it.py").write_text(
            "import pytest\n"
            "def test_runs(): pass\n"
            "def test_fast(): pytest.skip('too slow here')\n"
            "def test_real(): pytest.skip('no mirror at hand')\n"
            "@pytest.mark.xfail\n"
            "def test_known(): assert False\n",
            encoding="utf-8",
        )
        pytest_run = run(sys.executable, "-m", "pytest", "-q", "--junitxml=junit.xml", cwd=tmp_path, PYTEST_ADDOPTS="")
        assert pytest_run.returncode == 0, pytest_run.stdout
        skips = (sys.executable, ROOT / ".ci" / "skips.py", "junit.xml")
        strict, lenient = run(*skips, cwd=tmp_path), run(*skips, "no mirror", cwd=tmp_path)
        assert (strict.returncode, lenient.returncode) == (1, 1)
        assert re.findall(r"::(test_\w+): (.+)", strict.stderr) == [
            ("test_fast", "too slow here"),
            ("test_real", "no mirror at hand"),
        ]
        assert re.findall(r"::(test_\w+): ", lenient.stderr) == ["test_fast"]

    def test_the_commit_hook_on_dvc_status_blocks(self):
        """`dvc status` exits 0 whatever it finds; only --quiet makes it 1."""
        hooks = {hook["id"]: hook for repo in yaml(".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]}
        assert "--quiet" in hooks["dvc-status"]["entry"].split()
        assert hooks["dvc-status"]["always_run"]
        assert all(hook["language"] == "system" for hook in hooks.values())


def test_one_version_is_named_everywhere():
    versions = {PYPROJECT["project"]["version"], bench.__version__, yaml("CITATION.cff")["version"]}
    assert versions == {bench.__version__}
