"""`bench diff` in a repository: revisions without checkout, its outputs and exit codes, and what cannot be compared."""

import json
import shutil
from pathlib import Path

import pytest
from hand_made import LABELS_NEW, LABELS_OLD, OLD, RUN_NEW, RUN_OLD, SUITE, Made, write_state
from repos import Repository


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """main has the old state; branch `work` changes the labels, then the run; the workspace is its tip."""
    repository = Repository(tmp_path_factory.mktemp("repository"))
    write_state(repository.root, OLD)
    repository.freeze("old")
    repository.git("tag", "old")
    repository.git("checkout", "--quiet", "-b", "work")
    write_state(repository.root, Made(LABELS_NEW, RUN_OLD))
    repository.freeze("labels")
    repository.git("tag", "labels")
    write_state(repository.root, Made(LABELS_NEW, RUN_NEW))
    repository.freeze("both")
    return repository


@pytest.fixture
def copy(history: Repository, tmp_path: Path) -> Repository:
    """A copy that a test may break."""
    target = tmp_path / "copy"
    shutil.copytree(history.root, target)
    made = Repository.__new__(Repository)
    made.root = target
    return made


def test_two_revisions_split_by_cause(history: Repository) -> None:
    done = history.diff("old", "labels", "--measure", "P@1", "--json", "-")
    assert done.returncode == 0, done.stderr
    [comparison] = json.loads(done.stdout)["suites"]
    assert comparison["headline"] == "mine, dev: P@1 rose by 25.0 points: 25.0 from 2 changed labels."
    assert (comparison["old_name"], comparison["old"]) == ("old", history.git("rev-parse", "old"))
    assert comparison["notes"] == []
    assert history.git("status", "--short") == ""


def test_the_default_is_where_the_branch_left_main_against_the_workspace(history: Repository) -> None:
    done = history.diff("--measure", "P@1")
    assert done.returncode == 0, done.stderr
    first, sentence = done.stdout.splitlines()[:2]
    assert first == f"suites/mini: merge-base with main ({history.git('rev-parse', '--short=7', 'old')}) -> workspace"
    assert sentence == (
        "mine, dev: P@1 rose by 25.0 points: -25.0 from the system, +25.0 from 2 changed labels, "
        "+25.0 from system and labels together."
    )


def test_the_tables_give_n_and_denominator_of_both_sides(history: Repository) -> None:
    lines = history.diff("old", "labels").stdout.splitlines()
    cells = [line.split() for line in lines if line.startswith("all ")]
    assert next(row for row in cells if row[1] == "MRR")[2:9] == [
        "0.750", "3/4,", "n=4", "0.875", "3.5/4,", "n=4", "+0.125",
    ]  # fmt: skip
    # Over all sources also where nothing changed.
    assert next(row for row in cells if row[1] == "recall@10")[2:8] == ["1.000", "4/4,", "n=4", "1.000", "4/4,", "n=4"]


def test_details_and_rescore_are_shown(history: Repository) -> None:
    shown = history.diff("old", "HEAD", "--details", "--rescore", "--measure", "P@1").stdout
    assert "mine, all, dev, P@1: won q2 q4" in shown
    assert "mine, all, dev, P@1: lost q1" in shown
    assert "labels, relabelled: 2" in shown
    row = next(line.split() for line in shown.splitlines() if line.startswith("mine ") and " P@1 " in line)
    assert row[4:] == ["0.5000", "0.7500", "0.2500", "0.7500", "4"]


def test_files_are_written_for_people_and_programs(history: Repository, tmp_path: Path) -> None:
    files = {kind: tmp_path / f"out.{kind}" for kind in ("json", "md", "html")}
    arguments = [word for kind, path in files.items() for word in (f"--{kind}", str(path))]
    done = history.diff("old", "HEAD", *arguments)
    assert done.returncode == 0, done.stderr
    assert "recall@10" in done.stdout
    assert all(b"MRR" in path.read_bytes() for path in files.values())


def test_one_regression_is_no_matter_of_what_cannot_be_compared(history: Repository) -> None:
    done = history.diff("HEAD", "old", "--fail-on", "P@1:-0.2", "--fail-on", "video.P@1:-0.2")
    assert done.returncode == 1
    assert "P@1:-0.2: fail  mine, dev: -0.25 (3.0/4, n=4 -> 2.0/4, n=4)" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nonsense"], "'nonsense' is no revision of this repository: see `git branch --all`"),
        (["--fail-on", "recall@10"], "is no rule: write [SYSTEM/][PLACE.]MEASURE:CHANGE"),
        (["--fail-on", "recall@10:+0.02"], "more is better, so the worst change that passes is 0 or below"),
        (["--fail-on", "false_recall:-0.02"], "less is better, so the worst change that passes is 0 or above"),
        (["--measure", "nDCG"], "'nDCG' is scored on neither side of suites/mini; scored are: recall@1, "),
        (["--suite", "suites/other"], "neither merge-base with main"),
        (["--suite", ".."], "--suite .. is no directory of a suite"),
    ],
)
def test_a_mistake_is_a_sentence_and_no_regression(history: Repository, arguments: list[str], says: str) -> None:
    done = history.diff(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (None, "metrics/mine/scores.json is missing in workspace: run `dvc repro` there"),
        ("{", "metrics/mine/scores.json of workspace is not valid JSON"),
        ('{"all": {"dev": {"P@1": {"value": NaN}}}}', "is not valid JSON: NaN is not JSON"),
        ('{"all": {"dev": {"P@1": {"value": 0.5}}}}', "is no document of scores (Object missing required field"),
        ("[]", "holds no JSON object"),
    ],
)
def test_metrics_missing_or_broken(copy: Repository, damage: str | None, says: str) -> None:
    path = copy.suite / "metrics/mine/scores.json"
    path.unlink()
    if damage is not None:
        path.write_text(damage)
    done = copy.diff("old")
    assert done.returncode == 2
    assert says in done.stderr
    copy.git("commit", "--quiet", "--all", "--message", "broken")
    committed = copy.diff("old", "HEAD")
    assert committed.returncode == 2
    assert says.replace("workspace", f"HEAD ({copy.git('rev-parse', '--short=7', 'HEAD')})") in committed.stderr


def test_a_shallow_clone_says_how_to_get_its_history(history: Repository, tmp_path: Path) -> None:
    history.git(
        "clone", "--quiet", "--depth", "1", "--branch", "work", f"file://{history.root}", str(tmp_path / "clone")
    )
    done = history.diff(root=tmp_path / "clone")
    assert done.returncode == 2
    assert "this clone is shallow" in done.stderr
    assert "fetch-depth: 0" in done.stderr
    assert "this clone is shallow" in history.diff("HEAD~1", root=tmp_path / "clone").stderr


def test_outside_of_git(history: Repository, tmp_path: Path) -> None:
    done = history.diff(root=tmp_path)
    assert (done.returncode, "is not in a git repository" in done.stderr) == (2, True)


def test_branches_without_a_common_ancestor(copy: Repository) -> None:
    copy.git("checkout", "--quiet", "--orphan", "alone")
    copy.git("commit", "--quiet", "--message", "alone")
    done = copy.diff()
    assert (done.returncode, "HEAD and main have no common ancestor" in done.stderr) == (2, True)


def test_without_data_metrics_are_compared_and_the_reader_is_told(history: Repository, tmp_path: Path) -> None:
    history.git("clone", "--quiet", str(history.root), str(tmp_path / "clone"))
    done = history.diff("origin/main", "origin/work", "--json", "-", root=tmp_path / "clone")
    assert done.returncode == 0, done.stderr
    [comparison] = json.loads(done.stdout)["suites"]
    changed = next(row for row in comparison["rows"] if (row["measure"], row["modality"]) == ("P@1", "all"))
    assert (changed["status"], changed["change"], changed["interval"]) == ("changed", 0.25, None)
    assert comparison["splits"] == []
    assert "is in no cache or remote that can be read" in comparison["notes"][0]
    assert "`dvc fetch --all-commits`" in comparison["notes"][0]


def test_data_that_the_workspace_lacks(copy: Repository) -> None:
    shutil.rmtree(copy.suite / "sets")
    [comparison] = json.loads(copy.diff("old", "--json", "-").stdout)["suites"]
    assert "suites/mini/sets is not in the workspace: `dvc pull`, or `dvc repro`" in comparison["notes"][0]
    # Per-query scores are there, so rows are tested all the same.
    assert next(row for row in comparison["rows"] if row["measure"] == "MRR")["interval"]["p"] == 1.0


def test_data_comes_from_a_remote_where_the_cache_lacks_it(copy: Repository, tmp_path: Path) -> None:
    copy.dvc("remote", "add", "--local", "--default", "store", str(tmp_path / "store"))
    copy.dvc("push", "--all-commits", "--quiet")
    shutil.rmtree(copy.root / ".dvc" / "cache")
    done = copy.diff("old", "HEAD", "--json", "-", "--measure", "P@1")
    assert json.loads(done.stdout)["suites"][0]["headline"].endswith("+25.0 from system and labels together.")


def test_a_suite_and_a_system_that_are_new(copy: Repository) -> None:
    copy.git("rm", "-r", "--quiet", "--cached", "suites")
    copy.git("commit", "--quiet", "--message", "none")
    done = copy.diff("HEAD", "--json", "-")
    [comparison] = json.loads(done.stdout)["suites"]
    assert {row["status"] for row in comparison["rows"]} == {"new"}
    assert "has no suite suites/mini: all of it is new" in comparison["notes"][0]
    write_state(copy.root, OLD.but(systems=("mine", "theirs")))
    [comparison] = json.loads(copy.diff("old", "--json", "-", "--fail-on", "P@1:0").stdout)["suites"]
    status = {row["system"]: row["status"] for row in comparison["rows"] if row["measure"] == "P@1"}
    assert status == {"mine": "same", "theirs": "new"}
    assert comparison["gates"][0]["outcome"] == "pass"


def test_acceptance_is_of_the_first_system(copy: Repository) -> None:
    write_state(copy.root, Made(LABELS_OLD, RUN_OLD, acceptance=True))
    done = copy.diff("old")
    # No query is of the test split, and what is not measured is never a pass.
    assert done.returncode == 2
    assert "acceptance of mine: cannot-compare" in done.stdout


def test_latency_is_reported_and_never_gated(copy: Repository) -> None:
    (copy.suite / "metrics/mine/latency.json").write_text('{"all": {"n": 4, "p50_ms": 3.5}}')
    done = copy.diff("old")
    assert done.returncode == 0
    assert "latency of mine, new: n 4, p50_ms 3.5" in done.stdout
    assert SUITE in done.stdout
