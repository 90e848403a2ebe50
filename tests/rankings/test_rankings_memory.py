"""Memory does not grow with the run: a real process under a limit of its own."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
GENERATE = ROOT / "tests" / "benchmarks" / "generate.py"
SCRIPT = """
import resource, sys
from pathlib import Path
from bench.rankings.evaluate import evaluate
done = evaluate(Path(sys.argv[1]), Path(sys.argv[2]))
print(done.counts["hits"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
# MiB of data that a process may hold. A million hits as dictionaries of Python objects take more than 200 alone.
LIMITS = {"run.trec": 100, "run.jsonl": 100, "run.columnar.jsonl": 100, "run.parquet": 260}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_DATA is counted in full on Linux alone")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """20,000 queries with 50 hits."""
    made = tmp_path_factory.mktemp("generated")
    subprocess.run([sys.executable, GENERATE, made, "--queries", "20000", "--hits", "50"], check=True, timeout=120)
    return made


@pytest.mark.parametrize("name", LIMITS)
def test_a_million_hits_within_a_limit(folder, name):
    limit = LIMITS[name] << 20
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, folder / "qrels.jsonl", folder / name],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),
        env={"PATH": "", "OPENBLAS_NUM_THREADS": "1", "ARROW_DEFAULT_MEMORY_POOL": "system"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    hits, peak = map(int, done.stdout.split())
    assert hits == 1_000_000
    assert peak < 300
