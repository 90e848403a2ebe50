"""How long scoring takes, against other tools, as whole processes in one run.

    python tests/benchmarks/generate.py --queries 100000 FOLDER
    python tests/benchmarks/compare.py FOLDER --rounds 3 [--peers PYTHON]

Every job runs once a round, one after another, so that all meet the same machine; cpu time (user and system) and the
highest memory are the kernel's own for the finished process. Ratios are taken within each round, and their median is
shown. PYTHON is an interpreter that has requirements/bench.lock; by default the one that runs this. Peers that it lacks
are left out, and said to be. Nothing passes or fails here.
"""

import argparse
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

JOBS = Path(__file__).with_name("jobs.py")
PEERS = ("pytrec_eval", "ir_measures", "ranx")
OURS = ("ours-parquet", "ours-columnar", "ours-jsonl", "ours-trec")
READING = ("read-parquet", "read-columnar", "read-jsonl", "read-trec")
BASE = "pytrec_eval"


class Cost(NamedTuple):
    """What a process took: seconds, seconds, mebibytes; and what it printed."""

    wall: float
    cpu: float
    memory: float
    printed: str


def run(python: str, job: str, folder: Path) -> Cost:
    """One job as a process. SystemExit where it fails."""
    began = perf_counter()
    process = subprocess.Popen([python, str(JOBS), job, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    printed = process.stdout.read().strip()
    _, status, usage = os.wait4(process.pid, 0)
    wall = perf_counter() - began
    if status:
        raise SystemExit(f"{job} failed with {os.waitstatus_to_exitcode(status)}")
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit, printed)


def installed(python: str, module: str) -> bool:
    """Whether an interpreter can import a module."""
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0


def table(costs: dict[str, list[Cost]]) -> str:
    """The Markdown table: medians over rounds, and ratios of cpu time to each peer that was measured."""
    peers = [name for name in PEERS if name in costs]
    lines = [
        "| job | wall s | cpu s | peak MiB | nDCG@10 | " + " | ".join(f"cpu / {peer}" for peer in peers) + " |",
        "|---" * (5 + len(peers)) + "|",
    ]
    for job, rounds in costs.items():
        cells = [f"{median(cost.wall for cost in rounds):.2f}", f"{median(cost.cpu for cost in rounds):.2f}"]
        cells += [f"{max(cost.memory for cost in rounds):.0f}"]
        cells += ["" if job.startswith("read") else f"{float(rounds[0].printed):.9f}"]
        for peer in peers:
            ratio = median(cost.cpu / base.cpu for cost, base in zip(rounds, costs[peer], strict=True))
            cells.append(f"{ratio:.3f}")
        lines.append(f"| {job} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what generate.py made")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", default=sys.executable, help="interpreter of the peers")
    parser.add_argument("--jobs", default=",".join((*OURS, *PEERS, *READING)))
    options = parser.parse_args()
    wanted = options.jobs.split(",")
    absent = [peer for peer in PEERS if peer in wanted and not installed(options.peers, peer)]
    jobs = [job for job in wanted if job not in absent]
    costs: dict[str, list[Cost]] = {job: [] for job in jobs}
    for number in range(1, options.rounds + 1):
        for job in jobs:
            print(f"round {number} of {options.rounds}: {job}", file=sys.stderr)
            costs[job].append(run(options.peers if job in PEERS else sys.executable, job, options.folder))
    print(table(costs))
    print(f"\n{options.rounds} rounds; {platform.platform()}, {os.cpu_count()} processors, load {os.getloadavg()}")
    print(f"Python {platform.python_version()}, pyarrow {version('pyarrow')}, msgspec {version('msgspec')}")
    print(f"Left out, not installed: {', '.join(absent) or 'nothing'}")


if __name__ == "__main__":
    main()
