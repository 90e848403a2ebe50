"""Real upstream labels in two states, and a real system in two: LoCoMo and MMLongBench-Doc from the mirror."""

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from hand_made import SUITE, parts_of, split_of
from repos import Repository

from bench.diff.compare import Options, compare
from bench.diff.model import Comparison
from bench.diff.sides import Side
from bench.diff.states import Workspace
from bench.jsonl import read_rows, write_rows
from bench.normalize.run import normalize
from bench.records import RunLine
from bench.registry import load_source
from bench.retrieve import retrieve
from bench.root import ROOT
from bench.score.run import read_queries, score
from bench.suite import Suite


def real_suite(root: Path, mirror: Path, source: str, labels: str, k1: float = 1.2) -> Suite:
    """A suite of one source under `root`, whose files lie in `mirror`, normalized, with bm25 as its only system."""
    folder = root / SUITE
    folder.mkdir(parents=True, exist_ok=True)
    params: dict[str, Any] = yaml.safe_load((ROOT / "suites/third-party/params.yaml").read_text(encoding="utf-8"))
    params |= {"sources": [source], "options": {source: {"labels": labels}}}
    params["retrieve"] |= {"systems": ["bm25"], "depth": 20, "bm25": {"k1": k1, "b": 0.75}}
    (folder / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
    raw = folder / "raw" / source
    if not raw.exists():
        raw.parent.mkdir()
        raw.symlink_to(mirror)
    # The registry's entry, of the files that are there: a mirror of a few documents is enough for a test.
    registered = yaml.safe_load((ROOT / f"bench/sources/{source}.yaml").read_text(encoding="utf-8"))
    registered["files"] = [file for file in registered["files"] if (mirror / file["path"]).exists()]
    registered.pop("retrieved_at")
    (folder / "sources").mkdir(exist_ok=True)
    (folder / "sources" / f"{source}.yaml").write_text(yaml.safe_dump(registered), encoding="utf-8")
    suite = Suite(folder)
    entry = load_source(source)
    fields = ("dataset", "revision", "modality", "text")
    write_rows(suite.manifest, [{"source": source} | {name: getattr(entry, name) for name in fields}])
    normalize(suite)
    return suite


def freeze_run(suite: Suite, runs: Path) -> None:
    """Let `suite` have the frozen `runs`, without lines of queries that it lacks."""
    shutil.rmtree(suite.runs, ignore_errors=True)
    shutil.copytree(runs, suite.runs)
    queries = read_queries(suite)
    for path in suite.runs.rglob("*.jsonl"):
        write_rows(path, [line for line in read_rows(path, RunLine) if line.query_id in queries])


@pytest.fixture(scope="module")
def locomo(mirror: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Repository, Path]:
    """Commits `original` and, each with the frozen run of one BM25, `audit`, `k1` and `both`; and the runs by k1."""
    root = tmp_path_factory.mktemp("locomo")
    repository = Repository(root / "repository")
    states = {"original": ("original", 1.2), "audit": ("audit", 1.2), "k1": ("original", 0.3), "both": ("audit", 0.3)}
    for name, (labels, k1) in states.items():
        suite = real_suite(repository.root, mirror / "locomo", "locomo", labels, k1)
        runs = root / f"runs-{k1}"
        if labels == "original":
            shutil.rmtree(suite.runs, ignore_errors=True)
            retrieve(suite)
            shutil.copytree(suite.runs, runs)
        freeze_run(suite, runs)
        score(suite)
        repository.freeze(name)
        repository.git("tag", name)
    return repository, root


def between(repository: Repository, old: str, new: str) -> Comparison:
    from bench.diff.states import revision

    sides = [Side(revision(repository.root, name), SUITE) for name in (old, new)]
    return compare(sides[0], sides[1], Options(rescore=True))


MEASURES = ("recall@10", "nDCG@10", "MRR", "MAP@10", "P@10")


def test_audit_labels_with_the_same_run_are_an_effect_of_labels(locomo: tuple[Repository, Path]) -> None:
    comparison = between(locomo[0], "original", "audit")
    kinds = Counter(change.kind for change in comparison.labels)
    answers = [change for change in comparison.labels if "effect on them is 0" in change.why]
    assert kinds["relabelled"] > 50
    assert len(answers) > 20
    assert all(set(change.fields) <= {"answer", "answer_format"} for change in answers)
    for measure in MEASURES:
        parts = {part.cause: part for part in split_of(comparison, measure).parts}
        assert parts["labels"].change != 0, measure
        assert parts["labels"].n > 0
        assert (parts["system"].change, parts["system"].n, parts["interaction"].change) == (0, 0, 0)
        assert sum(part.change for part in parts.values()) == pytest.approx(
            split_of(comparison, measure).change, abs=1e-12
        )


def test_another_parameter_with_the_same_labels_is_an_effect_of_the_system(locomo: tuple[Repository, Path]) -> None:
    comparison = between(locomo[0], "original", "k1")
    assert comparison.labels == []
    for measure in MEASURES:
        assert set(parts_of(comparison, measure)) == {"system"}, measure


def test_both_at_once_sum_to_the_change(locomo: tuple[Repository, Path]) -> None:
    comparison = between(locomo[0], "original", "both")
    of_labels = between(locomo[0], "original", "audit")
    for measure in MEASURES:
        parts = parts_of(comparison, measure)
        assert {"system", "labels"} <= set(parts)
        assert sum(parts.values()) == pytest.approx(split_of(comparison, measure).change, abs=1e-12)
        # The labels' effect is that of the labels alone; where all is one, one part carries the rounding of records.
        assert parts["labels"] == pytest.approx(parts_of(of_labels, measure)["labels"], abs=1e-9)
    [row] = [again for again in comparison.rescored if (again.measure, again.modality) == ("recall@10", "all")]
    parts = parts_of(comparison, "recall@10")
    assert row.old_run_new_labels - row.old_run_old_labels == pytest.approx(parts["labels"], abs=1e-9)
    assert row.new_run_old_labels - row.old_run_old_labels == pytest.approx(parts["system"], abs=1e-9)


def a_few_documents(mirror: Path, folder: Path) -> Path:
    """MMLongBench's labels with the document of row 132, without that of row 570, and with eleven small ones."""
    release = mirror / "mmlongbench-doc"
    documents = sorted((release / "documents").glob("*.pdf"), key=lambda path: (path.stat().st_size, path.name))
    asked = next(path for path in documents if path.name.startswith("379f44022bb27aa53efd5d322c7b57bf"))
    (folder / "documents").mkdir(parents=True)
    for path in (*release.glob("*.json"), *{asked, *documents[:11]}):
        (folder / path.relative_to(release)).symlink_to(path)
    return folder


def test_two_releases_of_mmlongbench_differ_in_two_rows_and_both_are_named(mirror: Path, tmp_path: Path) -> None:
    release = a_few_documents(mirror, tmp_path / "release")
    suites = [
        real_suite(tmp_path / labels, release, "mmlongbench-doc", labels)
        for labels in ("samples.88b5f09f.json", "samples.json")
    ]
    retrieve(suites[0])
    freeze_run(suites[1], suites[0].runs)
    for suite in suites:
        score(suite)
    sides = [Side(Workspace(suite.directory.parent.parent), SUITE) for suite in suites]
    changes = compare(sides[0], sides[1], Options()).labels
    # One query enters, and perhaps a twin of it; nothing leaves.
    [entered] = [change for change in changes if change.kind == "added" and "~" not in change.query_id]
    assert read_queries(suites[1])[entered.query_id].origin.item == "samples[132]"
    assert entered.why == "before excluded: page_zero"
    assert {change.query_id.partition("~")[0] for change in changes if change.kind == "added"} == {entered.query_id}
    assert {change.kind for change in changes} <= {"added", "excluded"}
    # The other is left out on both sides, for its document, and named where its rows tell.
    before, after = (
        {row["item"]: row for row in read_rows(suite.sets / "excluded.jsonl", dict)}["samples[570]"] for suite in suites
    )
    assert (before["reason"], after["reason"]) == ("missing_document", "missing_document")
    assert [change.query_id for change in changes if change.kind == "excluded"] == ["mmlongbench-doc samples[570]"]
