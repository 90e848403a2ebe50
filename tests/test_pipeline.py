"""The DVC pipelines: what they declare is what the code reads, and a rebuild elsewhere gives the same bytes."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.root import ROOT

SUITES = {"bench": ROOT, "suites/third-party": ROOT / "suites" / "third-party"}
STAGES = ("fetch", "verify", "normalize", "validate", "retrieve", "score")
# Read by name at run time, so that no import statement shows it.
DYNAMIC = {
    "verify": ["bench/upstream"],
    "normalize": ["bench/upstream"],
    "validate": ["bench/checks", "bench/modalities"],
    "retrieve": ["bench/systems"],
    "score": ["bench/modalities"],
}


def load(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def names(entries: list[Any]) -> list[str]:
    """The paths of a list of deps or outs, whose options stand in mappings."""
    return [name for entry in entries for name in (entry if isinstance(entry, dict) else [entry])]


def imported(script: Path) -> set[Path]:
    """All modules of this repository that `script` imports, however indirectly."""
    found: set[Path] = set()
    waiting = [script]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = []
            if isinstance(node, ast.ImportFrom) and node.module:
                modules = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            waiting += [place for module in modules if (place := module_file(module))]
    return found


def module_file(name: str) -> Path | None:
    place = ROOT.joinpath(*name.split("."))
    candidates = [place.with_suffix(".py"), place / "__init__.py", ROOT / "stages" / f"{name}.py"]
    return next((path for path in candidates if path.is_file() and path.is_relative_to(ROOT)), None)


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_depends_on_the_code_that_it_runs(suite: str, stage: str) -> None:
    deps = [ROOT / dep for dep in names(load(SUITES[suite] / "dvc.yaml")["stages"][stage]["deps"])]
    needed = imported(ROOT / "stages" / f"{stage}.py") - {ROOT / "bench" / "__init__.py"}
    for dynamic in DYNAMIC.get(stage, []):
        needed |= set((ROOT / dynamic).rglob("*.py"))
    missing = [str(path.relative_to(ROOT)) for path in sorted(needed) if not any(path.is_relative_to(d) for d in deps)]
    assert missing == []


@pytest.mark.parametrize("suite", SUITES)
def test_the_pipeline_is_of_the_sources_that_params_list(suite: str) -> None:
    home = SUITES[suite]
    sources = load(home / "params.yaml")["sources"]
    stages = load(home / "dvc.yaml")["stages"]
    assert list(stages) == list(STAGES)
    assert names(stages["fetch"]["outs"]) == [f"{suite}/raw/{source}" for source in sources]
    for stage in ("fetch", "verify", "normalize"):
        deps = names(stages[stage]["deps"])
        assert [dep for dep in deps if dep.startswith("bench/sources/")] == [f"bench/sources/{s}.yaml" for s in sources]
    for stage in ("verify", "normalize"):
        assert {f"{suite}/raw/{source}" for source in sources} <= set(names(stages[stage]["deps"]))


@pytest.mark.parametrize("suite", SUITES)
def test_every_stage_is_described_and_listed_whole(suite: str) -> None:
    stages = load(SUITES[suite] / "dvc.yaml")["stages"]
    produced: set[str] = set()
    for name, stage in stages.items():
        assert stage["desc"].endswith("."), name
        assert stage["cmd"] == f"python stages/{name}.py --suite {suite}"
        assert "frozen" not in stage
        assert "always_changed" not in stage
        for dep in names(stage["deps"]):
            inside = dep.startswith(f"{suite}/") and dep.split("/")[len(suite.split("/"))] in (
                "raw", "corpus", "sets", "runs", "scores",
            )  # fmt: skip
            assert not inside or dep in produced, f"{name} reads {dep}, which is no single output of an earlier stage"
        produced |= set(names([*stage.get("outs", []), *stage.get("metrics", [])]))


@pytest.mark.parametrize("suite", SUITES)
def test_the_lock_freezes_every_set_corpus_and_manifest_by_itself(suite: str) -> None:
    lock = load(SUITES[suite] / "dvc.lock")
    outs = {out["path"]: out for stage in lock["stages"].values() for out in stage["outs"]}
    dataset = json.loads((SUITES[suite] / "metrics" / "dataset.json").read_text(encoding="utf-8"))
    modalities = set(dataset) - {"all", "by_source"}
    assert len(modalities) == 6
    for name in modalities:
        for folder in ("sets", "corpus"):
            assert len(outs[f"{suite}/{folder}/{name}.jsonl"]["md5"]) == 32
    assert f"{suite}/corpus/manifest.jsonl" in outs
    listed = {path for stage in load(SUITES[suite] / "dvc.yaml")["stages"].values() for path in names(stage["deps"])}
    locked = {dep["path"] for stage in lock["stages"].values() for dep in stage["deps"]}
    assert locked == listed, "dvc.lock is of another dvc.yaml: run `dvc repro --force` and commit it"


def test_the_third_party_suite_has_the_scale_to_pass() -> None:
    dataset = json.loads((SUITES["suites/third-party"] / "metrics" / "dataset.json").read_text(encoding="utf-8"))
    counts = dataset["all"]
    assert counts["sources"] >= 50_789
    assert counts["queries"] >= 5_308
    assert counts["answerable"] >= 2_928
    assert counts["unanswerable"] >= 2_380
    assert counts["holders"] >= 854
    assert 0.3 <= counts["unanswerable"] / counts["queries"] <= 0.5


@pytest.mark.parametrize("suite", SUITES)
def test_rows_in_are_kept_or_excluded_for_each_source(suite: str) -> None:
    dataset = json.loads((SUITES[suite] / "metrics" / "dataset.json").read_text(encoding="utf-8"))
    checked = 0
    for source in dataset["by_source"].values():
        for kind in {"question", "document", "caption"} & set(source):
            rows = source[kind]
            reasons = sum(n for reason, n in source["excluded"].items() if reason.startswith(f"{kind}:"))
            assert rows["rows"] == rows["kept"] + rows["excluded"]
            assert rows["excluded"] == reasons
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("suite", SUITES)
def test_the_unscoped_system_fails_the_twin_measures(suite: str) -> None:
    leaking = SUITES[suite] / "metrics" / "bm25_unscoped" / "scores.json"
    for modality, splits in json.loads(leaking.read_text(encoding="utf-8")).items():
        if modality in ("by_source", "by_scenario", "counts"):
            continue
        for measure in ("holder_correctness_twins", "temporal_correctness_twins"):
            if measure in splits["dev"]:
                assert splits["dev"][measure]["value"] < 0.95, (modality, measure)


def test_reference_systems_score_neither_nothing_nor_everything_on_the_starter() -> None:
    scores = json.loads((ROOT / "metrics" / "bm25" / "scores.json").read_text(encoding="utf-8"))
    dataset = json.loads((ROOT / "metrics" / "dataset.json").read_text(encoding="utf-8"))
    for modality in set(dataset) - {"by_source"}:
        assert 0 < scores[modality]["dev"]["nDCG@10"]["value"] < 1, modality
    assert dataset["all"]["queries"] >= 150
    assert dataset["all"]["unanswerable"] / dataset["all"]["queries"] >= 0.3


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository as it is, in another folder with a name that no tool likes, rebuilt there by force."""
    folder = tmp_path_factory.mktemp("else where") / "é bench"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "--quiet")
    commit(folder, "as it is")
    dvc(folder, "repro", "--force", "--quiet")
    return folder


def environment() -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "DVC_NO_ANALYTICS": "1", "BENCH_MIRROR": ""}


def dvc(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "dvc", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)


def test_a_forced_rebuild_in_another_folder_gives_the_committed_lock_and_metrics(elsewhere: Path) -> None:
    assert (elsewhere / "dvc.lock").read_bytes() == (ROOT / "dvc.lock").read_bytes()
    compared = 0
    for path in sorted((ROOT / "metrics").rglob("*")):
        if path.is_file() and path.name != "latency.json":
            assert (elsewhere / path.relative_to(ROOT)).read_bytes() == path.read_bytes(), path.name
            compared += 1
    assert compared == 7


def test_plain_metrics_diff_shows_numerator_denominator_and_n_of_what_a_parameter_changed(elsewhere: Path) -> None:
    params = elsewhere / "params.yaml"
    before = params.read_text(encoding="utf-8")
    assert "k1: 1.2" in before
    params.write_text(before.replace("k1: 1.2", "k1: 0.2"), encoding="utf-8")
    dvc(elsewhere, "repro", "--quiet")
    commit(elsewhere, "another k1")
    rows = [line.split(maxsplit=2) for line in dvc(elsewhere, "metrics", "diff", "HEAD~1").splitlines()[1:]]
    changed = {metric for _, metric, _ in rows}
    values = {metric for metric in changed if metric.endswith(".value")}
    assert values
    assert {value.removesuffix("value") + "of" for value in values} <= changed
    of = next(rest for _, metric, rest in rows if metric == "all.dev.nDCG@10.of")
    denominator = json.loads((ROOT / "metrics/bm25/scores.json").read_bytes())["all"]["dev"]["nDCG@10"]["denominator"]
    assert of.count(f"/{denominator}, n={denominator}") == 2

    everything = dvc(elsewhere, "metrics", "diff", "--all", "--md", "HEAD~1")
    assert "| all.dev.recall@10.denominator" in everything
    assert "| all.dev.false_recall.of" in everything


def test_plots_render(elsewhere: Path) -> None:
    dvc(elsewhere, "plots", "show", "--out", "plots")
    page = (elsewhere / "plots" / "index.html").read_text(encoding="utf-8")
    assert "recall at k by modality" in page
    assert "scores against thresholds" in page
    assert "ui_screenshot, recall@10 &gt;= 0.9" in page or "ui_screenshot, recall@10 >= 0.9" in page
