"""The registry entries of the starter's sources, bench/sources/starter-*.yaml, with size and hash of each file."""

import hashlib
from collections.abc import Mapping
from typing import NamedTuple


class Entry(NamedTuple):
    """What a registry entry says besides its files. `name` is the directory in bench/starter, `adapter` its module."""

    name: str
    adapter: str
    modality: str
    title: str
    text: str = "units"
    options: str = "{}"


ENTRIES = (
    Entry("mmlongbench-doc", "mmlongbench_doc", "pdf", "questions on PDFs, as MMLongBench-Doc"),
    Entry("visrag", "visrag", "image", "questions on charts, as VisRAG-Ret-Test", "none", "{scenario: chart}"),
    Entry("screenqa-short", "screenqa", "image", "short answers on app screens, as ScreenQA and Screen Annotation"),
    Entry("screenspot-v2", "screenspot_v2", "ui_screenshot", "instructions on screenshots, as ScreenSpot-v2", "none",
          "{box: xywh}"),
    Entry("websrc-sample", "websrc", "ui_screenshot", "questions on web pages, as WebSRC"),
    Entry("video-mme", "video_mme", "video", "questions on videos without spans, as Video-MME"),
    Entry("qvhighlights", "qvhighlights", "video", "moments of clips, as QVHighlights", "none",
          "{files: [highlight_val_release.jsonl]}"),
    Entry("activitynet-captions", "activitynet_captions", "video", "events of videos, as ActivityNet Captions"),
    Entry("longmemeval", "longmemeval", "conversation", "questions on chat histories, as LongMemEval",
          options="{file: longmemeval_oracle.json}"),
    Entry("locomo", "locomo", "conversation", "questions on conversations, as LoCoMo", options="{labels: original}"),
    Entry("codesearchnet", "codesearchnet", "code", "functions and judged queries, as CodeSearchNet"),
    Entry("pypi-tinytools", "pypi", "code", "a pure-Python wheel, as PyPI serves them"),
)  # fmt: skip

_YAML = """\
# Written by `python -m bench.starter.generate`.
name: starter-{entry.name}
dataset: starter-{entry.name}
adapter: {entry.adapter}
modality: {entry.modality}
title: "Starter: {entry.title}"
url: bench/starter/README.md
revision: "1"
retrieved_at: 2026-12-01T00:00:00Z
text: {entry.text}
licence:
  spdx: CC0-1.0
  read_at: bench/starter/README.md
  redistribute: true
annotation_source:
  kind: human
  how: the authors of the suite wrote question and gold together
options: {entry.options}
files:
"""
_FILE = """\
- path: "{path}"
  url: "file:bench/starter/{name}/{path}"
  sha256: {sha256}
  bytes: {size}
"""


def registry_entry(entry: Entry, files: Mapping[str, bytes]) -> str:
    """The YAML of `entry`, which pins `files`."""
    pins = [
        _FILE.format(path=path, name=entry.name, sha256=hashlib.sha256(data).hexdigest(), size=len(data))
        for path, data in sorted(files.items())
    ]
    return _YAML.format(entry=entry) + "".join(pins)
