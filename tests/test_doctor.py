"""`bench doctor`: contradictions between dvc.lock, metrics, provenance, code, params and data are found."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from bench.doctor.hashes import folder_md5, md5_of
from bench.root import ROOT

SOURCE, MODALITY, SYSTEM = "starter-locomo", "conversation", "bm25"
CLI = (sys.executable, "-c", "from bench.cli import app; app()")
MOST_GOLD = 12


def call(folder, *command):
    """The exit code, and all that was printed."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, cwd=folder, env={**outer, "PATH": path, "DVC_NO_ANALYTICS": "1"}, capture_output=True, text=True,
        check=False, timeout=300,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def must(folder, *command):
    code, said = call(folder, *command)
    assert code == 0, said
    return said


def git(folder, *arguments):
    return call(folder, "git", "-c", "user.name=A. Tester", "-c", "user.email=t@example.org", *arguments)


def commit(folder, message):
    for arguments in (("add", "--all"), ("commit", "--quiet", "--message", message)):
        code, said = git(folder, *arguments)
        assert code == 0, said


def dvc(folder, *arguments):
    return call(folder, sys.executable, "-m", "dvc", *arguments)


def repro(folder, *arguments):
    code, said = dvc(folder, "repro", "--quiet", *arguments)
    assert code == 0, said


def doctor(folder, *arguments):
    return call(folder, *CLI, "doctor", *arguments)


def small_repository(folder):
    """This repository as it is, but for a starter suite of one source and one system: it builds in a few seconds."""
    listed = must(ROOT, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("suites/", "metrics/", "tests/", "dvc.")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    params = yaml.safe_load((ROOT / "params.yaml").read_text())
    params["sources"], params["options"] = [SOURCE], {}
    params["retrieve"]["systems"] = [SYSTEM]
    params["validate"] |= {"min_queries": 1, "max_share": 1.0, "min_unanswerable_share": 0.0}
    (folder / "params.yaml").write_text(yaml.safe_dump(params))
    pipeline = {"stages": yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]}
    for stage in pipeline["stages"].values():
        for kind in ("deps", "outs", "metrics"):
            stage[kind] = [entry for entry in stage.get(kind, []) if of_the_small_suite(str(entry))]
    (folder / "dvc.yaml").write_text(yaml.safe_dump(pipeline, sort_keys=False))


def of_the_small_suite(entry):
    name = next(iter(re.findall(r"[\w./-]+", entry)))
    other_source = "starter" in name and "locomo" not in name
    other_modality = re.search(r"/(code|image|pdf|ui_screenshot|video)\.jsonl", name)
    return not other_source and not other_modality and not re.search(r"/(random|bm25_unscoped)\b", name)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A small repository, built and committed. Tests work on copies of it."""
    folder = tmp_path_factory.mktemp("doctor") / "base"
    small_repository(folder)
    must(folder, "git", "init", "--quiet", "--initial-branch=main")
    must(folder, sys.executable, "-m", "dvc", "config", "--local", "cache.type", "copy")
    repro(folder)
    commit(folder, "base")
    return folder


@pytest.fixture
def clone(built, tmp_path):
    """The built repository with its data and its cache."""
    return shutil.copytree(built, tmp_path / "clone", symlinks=True)


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_what_belongs_together_exits_0(clone):
    code, said = doctor(clone, "--rescore")
    assert code == 0, said
    assert said == "bench: lock, metrics, provenance and workspace belong together\n"


def test_a_clone_without_data_is_checked_as_far_as_it_goes(clone, tmp_path):
    code, said = git(clone, "clone", "--quiet", ".", str(tmp_path / "bare"))
    assert code == 0, said
    code, said = doctor(tmp_path / "bare")
    assert code == 0, said
    assert "not checked: " in said
    assert "which are not here" in said
    edit(tmp_path / "bare" / "bench/measures/recall.py", "From 0 to 1", "Between 0 and 1")
    assert doctor(tmp_path / "bare")[0] == 1
    code, said = doctor(tmp_path / "bare", "--rescore")
    assert code == 1
    assert "--rescore needs the data" in said


@pytest.mark.parametrize(
    ("path", "old", "new", "expected"),
    [
        ("bench/measures/recall.py", "From 0 to 1", "Between", r"scores are by scorer \w+, but the code in"),
        ("bench/normalize/twins.py", '"""', '"""More: ', r"bench/normalize \(code or a file of git\) is \w+ on disk"),
        ("params.yaml", "k1: 1.2", "k1: 1.5", r"retrieve is .* in dvc.lock \(stage retrieve\)"),
        ("params.yaml", "min_margin: 0.05", "min_margin: 0.5", r"params \w+, but `score` in params.yaml is"),
        ("metrics/bm25/scores.json", '"n": ', '"n":  ', r"metrics/bm25/scores.json \(a file that the score wrote\)"),
        ("metrics/provenance.json", '"bytes": ', '"bytes":  ', r"metrics/provenance.json \(a file that the score"),
        ("bench/sets/conversation.jsonl", '"dev"', '"test"', r"conversation.jsonl has sha256 \w+, and \w+ was"),
        ("bench/runs/bm25/conversation.jsonl", '"strong":true', '"strong":false', r"bench/runs/bm25 \(data\) is"),
        ("dvc.yaml", "stages/score.py --suite bench", "stages/score.py --suite ./bench", r"stage score runs '.*', but"),
        ("dvc.yaml", "    - bench/measures\n", "", r"dvc.lock has deps that dvc.yaml does not list: bench/m"),
        ("dvc.lock", "  fetch:", "  fetched:", r"stage fetch is in dvc.yaml, but dvc.lock has no run of it"),
    ],
)  # fmt: skip
def test_a_contradiction_is_named(clone, path, old, new, expected):
    edit(clone / path, old, new)
    code, said = doctor(clone)
    assert code == 1, said
    assert re.search(expected, said), said
    assert "what to do: after a merge or an edit, `make relock`" in said


def test_scores_that_nobody_computed_are_found_by_rescoring(clone):
    """Whoever edits a score and then runs `dvc commit` has a lock, a provenance and metrics that agree."""
    path = clone / "metrics/bm25/scores.json"
    document = json.loads(path.read_text())
    document["all"]["dev"]["recall@10"]["value"] = 1.0
    path.write_text(json.dumps(document))
    code, said = dvc(clone, "commit", "--force", "--quiet")
    assert code == 0, said
    assert doctor(clone)[0] == 0
    code, said = doctor(clone, "--rescore")
    assert code == 1
    assert "metrics/bm25/scores.json is not what scoring bench/runs/bm25 gives" in said


def test_a_lock_whose_stages_do_not_fit_is_found_without_data(clone):
    lock = yaml.safe_load((clone / "dvc.lock").read_text())
    for out in lock["stages"]["normalize"]["outs"]:
        if out["path"] == "bench/sets/conversation.jsonl":
            out["md5"] = "0" * 32
    (clone / "dvc.lock").write_text(yaml.safe_dump(lock))
    code, said = doctor(clone, "--quick")
    assert code == 1
    assert "dvc.lock contradicts itself: stage score read bench/sets/conversation.jsonl as" in said
    assert re.search(r"provenance.json is of bench/sets/conversation.jsonl as \w+, and dvc.lock of 00000000", said)
    assert "not checked: the data that DVC keeps (--quick)" in said


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        ("dvc.lock", "<<<<<<< HEAD\nstages: {}\n=======\n", "dvc.lock is not valid YAML"),
        ("dvc.lock", None, "dvc.lock is missing: run `dvc repro`"),
        ("dvc.lock", "schema: '2.0'\nstages: {score: {cmd: x, outs: [y]}}\n", "are not as DVC writes them"),
        ("metrics/provenance.json", "{", "provenance.json is not valid JSON"),
        ("metrics/provenance.json", "{}\n", "is no provenance of a score"),
        ("metrics/provenance.json", None, "provenance.json is missing"),
    ],
)
def test_a_broken_file_is_a_contradiction_and_no_traceback(clone, path, content, expected):
    (clone / path).unlink()
    if content is not None:
        (clone / path).write_text(content)
    code, said = doctor(clone)
    assert code == 1
    assert expected in said
    assert "Traceback" not in said


def test_the_commit_hook_blocks(clone):
    """Its entry, run on a clone: `.venv/bin/bench` there is this package's command line."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    (hook,) = (hook for hook in hooks if hook["id"] == "bench-doctor")
    program, *arguments = hook["entry"].split()
    assert program == ".venv/bin/bench"
    assert hook["always_run"]
    assert not hook["pass_filenames"]
    assert call(clone, *CLI, *arguments)[0] == 0
    edit(clone / "bench/measures/recall.py", "From 0 to 1", "Between 0 and 1")
    assert call(clone, *CLI, *arguments)[0] == 1


def test_hashes_are_those_of_dvc(clone):
    lock = yaml.safe_load((clone / "dvc.lock").read_text())
    entries = [entry for stage in lock["stages"].values() for entry in (*stage["deps"], *stage["outs"])]
    assert {entry["md5"].endswith(".dir") for entry in entries} == {True, False}
    for entry in entries:
        assert md5_of(clone / entry["path"]) == entry["md5"], entry["path"]


def test_a_folder_is_hashed_by_its_listing():
    listing = [{"md5": "1", "relpath": "a/b"}, {"md5": "2", "relpath": "a.txt"}]
    expected = hashlib.md5(json.dumps(listing, sort_keys=True).encode()).hexdigest() + ".dir"
    assert folder_md5({"a.txt": "2", "a/b": "1"}) == expected


@pytest.fixture(scope="module")
def both(built, tmp_path_factory):
    """On main, with the other scorer; branch `labels` has more questions."""
    clone = shutil.copytree(built, tmp_path_factory.mktemp("branches") / "clone", symlinks=True)
    assert git(clone, "checkout", "--quiet", "-b", "labels")[0] == 0
    add_questions(clone)
    repro(clone)
    commit(clone, "more questions")
    assert git(clone, "checkout", "--quiet", "main")[0] == 0
    before = (clone / "metrics/bm25/scores.json").read_bytes()
    edit(clone / "bench/measures/recall.py", "len(judged.grades)", f"min(len(judged.grades), {MOST_GOLD})")
    repro(clone)
    assert (clone / "metrics/bm25/scores.json").read_bytes() == before, "the scorer changes nothing on these labels"
    commit(clone, "another scorer")
    assert doctor(clone)[0] == 0
    return clone


class TestCleanMerge:
    """One branch adds labels, the other changes the scorer; each is right, and git merges both."""

    @pytest.fixture
    def branches(self, both, tmp_path):
        return shutil.copytree(both, tmp_path / "clone", symlinks=True)

    def test_with_the_attribute_it_is_a_conflict(self, branches):
        assert git(branches, "merge", "--no-edit", "labels")[0] == 1
        assert git(branches, "diff", "--name-only", "--diff-filter=U")[1].split() == ["dvc.lock"]

    def test_without_it_the_doctor_says_so_and_a_forced_rebuild_mends_it(self, branches):
        edit(branches / ".gitattributes", "dvc.lock -merge", "dvc.lock")
        commit(branches, "no attribute")
        # Both rewrote provenance.json, whose hash is one line of dvc.lock: git merges the rest by itself.
        code, said = git(branches, "merge", "--no-edit", "--strategy-option=ours", "labels")
        assert code == 0, said
        code, said = doctor(branches)
        assert code == 1
        assert "metrics/provenance.json (a file that the score wrote)" in said

        for arguments in (("checkout", "--force"), ("commit", "--force")):
            assert dvc(branches, *arguments, "--quiet")[0] == 0
        assert dvc(branches, "status", "--quiet")[0] == 0, "dvc sees nothing wrong any more"
        merged = (branches / "metrics/bm25/scores.json").read_bytes()
        code, said = doctor(branches, "--rescore")
        assert code == 1
        assert "metrics/bm25/scores.json is not what scoring bench/runs/bm25 gives" in said

        repro(branches, "--force")
        assert doctor(branches, "--rescore")[0] == 0
        assert (branches / "metrics/bm25/scores.json").read_bytes() != merged


def add_questions(folder):
    """Questions of more evidence than any other, some of them in dev; the registry entry takes the new hash."""
    path = folder / "bench/starter/locomo/locomo10.json"
    samples = json.loads(path.read_bytes())
    talk = samples[0]["conversation"]
    turns = [turn["dia_id"] for key, value in talk.items() if isinstance(value, list) for turn in value]
    evidence = turns[: MOST_GOLD + 3]
    assert len(evidence) == MOST_GOLD + 3
    for number in range(6):
        question = f"What did they talk about at length, part {number}?"
        samples[0]["qa"].append({"question": question, "answer": "this", "evidence": evidence, "category": 1})
    path.write_text(json.dumps(samples))
    entry = folder / "bench/sources/starter-locomo.yaml"
    old = next(file for file in yaml.safe_load(entry.read_text())["files"] if file["path"] == "locomo10.json")
    data = path.read_bytes()
    edit(entry, old["sha256"], hashlib.sha256(data).hexdigest())
    edit(entry, f"bytes: {old['bytes']}", f"bytes: {len(data)}")
