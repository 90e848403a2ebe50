"""metrics/provenance.json: the digests of what was read and scored, so that a score can be traced to its inputs.

Never the commit or dvc.lock, which the file is part of. md5 as dvc.lock writes it, for comparison with the lock
alone, and sha256, which decides.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from bench.hashing import code_digest
from bench.jsonl import write_document
from bench.suite import Suite

# What decides a score: a change here can change every number, with the same run and labels.
SCORER = (
    "bench/score/judge.py",
    "bench/score/aggregate.py",
    "bench/score/run.py",
    "bench/score/runs.py",
    "bench/measures",
    "bench/modalities",
)


def write_provenance(suite: Suite) -> None:
    """Write the file for a suite whose scores were just computed."""
    runs = {
        system: {path.name: digests(path) for path in sorted((suite.runs / system).glob("*.json*"))}
        for system in suite.params["retrieve"]["systems"]
    }
    write_document(suite.metrics / "provenance.json", {**scored_from(suite), "runs": runs})


def scored_from(suite: Suite) -> dict[str, Any]:
    """The digests of all that decides a score beside the run: data, params and scorer."""
    read = [suite.manifest, *sorted(suite.sets.glob("*.jsonl")), *sorted(suite.corpus.glob("*.jsonl"))]
    return {
        "data": {path.relative_to(suite.directory).as_posix(): digests(path) for path in read},
        "params": {"sha256": params_digest(suite)},
        "scorer": {"sha256": code_digest(SCORER)},
    }


def params_digest(suite: Suite) -> str:
    """sha256 of the params of the score stage."""
    return hashlib.sha256(json.dumps(suite.params["score"], sort_keys=True).encode()).hexdigest()


def digests(path: Path) -> dict[str, Any]:
    """md5, sha256 and size of a file."""
    md5, sha256 = hashlib.md5(usedforsecurity=False), hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            md5.update(block)
            sha256.update(block)
    return {"md5": md5.hexdigest(), "sha256": sha256.hexdigest(), "bytes": path.stat().st_size}
