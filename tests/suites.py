"""A private suite in a folder of the test's own: its params, its registry entries, its raw files."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from bench.fetch.run import fetch
from bench.jsonl import write_rows
from bench.normalize.run import normalize
from bench.retrieve import retrieve
from bench.root import ROOT
from bench.suite import Suite
from bench.verify.run import verify
from bench.yamls import read_yaml


def make_suite(folder: Path, *sources: dict[str, Any], **params: Any) -> Suite:
    """A suite of `sources`, each `{name, adapter, modality, files: {path: bytes}, ...registry fields}`.

    Its raw files lie there as if fetched and verified. `params` override the third-party suite's, by section.
    """
    settings = read_yaml(ROOT / "suites/third-party/params.yaml", "params.yaml")
    settings |= {"sources": [source["name"] for source in sources], "options": {}}
    for section, values in params.items():
        settings[section] = settings[section] | values if isinstance(settings.get(section), dict) else values
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "params.yaml").write_text(json.dumps(settings))
    for source in sources:
        _register(folder, source)
    suite = Suite(folder)
    write_rows(
        suite.manifest,
        [
            {
                "source": source.name,
                "dataset": source.dataset,
                "revision": source.revision,
                "modality": source.modality,
                "text": source.text,
            }
            for source in suite.sources
        ],
    )
    return suite


def _register(folder: Path, source: dict[str, Any]) -> None:
    entry = {
        "dataset": source["name"],
        "title": source["name"],
        "url": "https://example.org",
        "revision": "1",
        "text": "units",
        "licence": {"spdx": "CC0-1.0", "read_at": "here", "redistribute": True},
        "annotation_source": {"kind": "human", "how": "written for a test"},
        **{key: value for key, value in source.items() if key != "files"},
        "files": [],
    }
    for path, data in source["files"].items():
        target = folder / "raw" / source["name"] / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        sha256 = hashlib.sha256(data).hexdigest()
        entry["files"].append({"path": path, "url": "https://example.org/x", "sha256": sha256, "bytes": len(data)})
    (folder / "sources").mkdir(exist_ok=True)
    (folder / "sources" / f"{source['name']}.yaml").write_text(json.dumps(entry))


def locomo(name: str = "locomo", conversations: int = 2, **changes: Any) -> dict[str, Any]:
    """A source in LoCoMo's format: conversations of eight dated sessions of three turns, with a question on each."""
    samples = []
    for number in range(conversations):
        talk: dict[str, Any] = {"speaker_a": "Ann", "speaker_b": "Bo"}
        qa: list[dict[str, Any]] = []
        for session in range(1, 9):
            word = f"topic{number}x{session}"
            talk[f"session_{session}_date_time"] = f"1:00 pm on {session} March, 2024"
            talk[f"session_{session}"] = [
                {"speaker": "Ann", "dia_id": f"D{session}:1", "text": "hello there"},
                {"speaker": "Bo", "dia_id": f"D{session}:2", "text": f"I saw the {word} today"},
                {"speaker": "Ann", "dia_id": f"D{session}:3", "text": "how nice for you"},
            ]
            qa.append({"question": f"Who saw {word}?", "answer": "Bo", "evidence": [f"D{session}:2"], "category": 4})
        qa.append({"question": "What was never said?", "adversarial_answer": "x", "evidence": ["D1:1"], "category": 5})
        samples.append({"sample_id": f"conv-{number}", "conversation": talk, "qa": qa})
    edit = changes.pop("edit", None)
    if edit:
        edit(samples)
    files = {"locomo10.json": json.dumps(samples).encode()}
    return {"name": name, "adapter": "locomo", "modality": "conversation", "files": files, **changes}


def make_starter(folder: Path) -> Suite:
    """The starter suite, fetched to answered, in a folder of the test's own: nothing in the repository is touched."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "params.yaml", folder)
    suite = Suite(folder)
    for stage in (fetch, verify, normalize, retrieve):
        stage(suite)
    return suite
