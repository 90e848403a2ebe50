"""The benchmark's own parts run; how long they take is never tested."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.rankings.evaluate import evaluate

BENCHMARKS = Path(__file__).resolve().parent.parent / "benchmarks"
SUFFIXES = ("trec", "jsonl", "columnar.jsonl", "parquet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("generated")
    command = [
        sys.executable,
        BENCHMARKS / "generate.py",
        made,
        "--queries",
        "300",
        "--hits",
        "20",
        "--documents",
        "500",
    ]
    subprocess.run(command, check=True, timeout=60)
    return made


def test_the_same_data_in_every_format(folder):
    done = [evaluate(folder / f"qrels.{suffix}", folder / f"run.{suffix}") for suffix in SUFFIXES]
    assert done[0].counts["hits"] == 6000
    assert 0 < done[0].measures["nDCG@10"]["value"] < 1
    assert all(other == done[0] for other in done)


def test_the_comparison_names_costs_ratios_and_what_is_left_out(folder):
    command = [sys.executable, BENCHMARKS / "compare.py", folder, "--rounds", "1"]
    shown = subprocess.run(
        [*command, "--jobs", "ours-trec,pytrec_eval,ranx,read-trec"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout
    header, _, *rows = [line.split(" | ") for line in shown.splitlines() if line.startswith("|")]
    assert header[-1] == "cpu / pytrec_eval |"
    assert [row[0] for row in rows] == ["| ours-trec", "| pytrec_eval", "| read-trec"]
    assert rows[0][4] == rows[1][4]
    assert "Left out, not installed: ranx" in shown
