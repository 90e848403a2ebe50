"""dvc.yaml and dvc.lock of a suite, stage by stage. Paths are as both write them: relative to the stage's wdir."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bench.errors import BenchError
from bench.suite import Suite
from bench.yamls import read_yaml


class Stage(NamedTuple):
    """A stage as dvc.yaml declares it. `params`: (file, key); `cached`: the outs that DVC keeps, and not git."""

    cmd: str
    deps: frozenset[str]
    outs: frozenset[str]
    cached: frozenset[str]
    params: frozenset[tuple[str, str]]


class Locked(NamedTuple):
    """A stage as dvc.lock describes its last run: md5 by path, and values by (file, key)."""

    cmd: str
    deps: Mapping[str, str]
    outs: Mapping[str, str]
    params: Mapping[tuple[str, str], Any]


class Pipeline:
    """A suite's declared and locked stages. `base` is the folder that their paths are relative to.

    BenchError where dvc.yaml or dvc.lock is missing or broken, as after a merge with conflicts.
    """

    def __init__(self, suite: Suite) -> None:
        self.suite = suite
        self.lock_path = suite.home / "dvc.lock"
        stages = _mapping(suite, suite.home / "dvc.yaml", "every suite with a pipeline has one")
        lock = _mapping(suite, self.lock_path, "run `dvc repro` and commit it")
        self.base = _base(suite.home, stages)
        try:
            self.declared = {name: _declared(stage) for name, stage in stages.items()}
            self.locked = {name: _locked(stage) for name, stage in lock.items()}
        except (AttributeError, KeyError, TypeError, ValueError):
            raise BenchError(
                f"dvc.yaml and dvc.lock in {suite.show(suite.home)} are not as DVC writes them: "
                f"`{relock(suite.show(suite.directory))}`"
            ) from None

    @property
    def cached(self) -> set[str]:
        """All outs that DVC keeps: a clone has them only after `dvc pull` or `dvc repro`."""
        return {path for stage in self.declared.values() for path in stage.cached}

    @property
    def outs(self) -> dict[str, str]:
        """md5 by path of all outs in dvc.lock."""
        return {path: md5 for stage in self.locked.values() for path, md5 in stage.outs.items()}

    def within(self, path: Path) -> str:
        """`path` as the stages call it."""
        return Path(os.path.relpath(path, self.base)).as_posix()


def relock(suite: str) -> str:
    """The command that makes a suite's lock true again."""
    return "make relock" if suite == "bench" else f"make relock SUITE={suite}"


def _mapping(suite: Suite, path: Path, missing: str) -> dict[str, Any]:
    """The stages of a file."""
    shown = suite.show(path)
    if not path.is_file():
        raise BenchError(f"{shown} is missing: {missing}")
    try:
        document = read_yaml(path, shown)
    except BenchError as error:
        command = relock(suite.show(suite.directory))
        raise BenchError(f"{error}; after a merge with conflicts, take either side's and run `{command}`") from None
    stages = document.get("stages") if isinstance(document, dict) else None
    if not isinstance(stages, dict):
        raise BenchError(f"{shown} has no stages: {missing}")
    return stages


def _base(home: Path, stages: Mapping[str, Any]) -> Path:
    folders = {str(stage.get("wdir", ".")) for stage in stages.values() if isinstance(stage, dict)}
    if len(folders) > 1:
        raise BenchError(f"the stages of {home / 'dvc.yaml'} have several wdirs: {', '.join(sorted(folders))}")
    return (home / folders.pop()).resolve() if folders else home


def _declared(stage: Mapping[str, Any]) -> Stage:
    outs = [_with_options(entry) for kind in ("outs", "metrics", "plots") for entry in stage.get(kind, [])]
    return Stage(
        " ".join(stage["cmd"].split()),
        frozenset(_with_options(entry)[0] for entry in stage.get("deps", [])),
        frozenset(path for path, _ in outs),
        frozenset(path for path, options in outs if options.get("cache", True)),
        frozenset(pair for entry in stage.get("params", []) for pair in _params(entry)),
    )


def _with_options(entry: Any) -> tuple[str, Mapping[str, Any]]:
    """(path, options) of an entry that is a path, or a mapping from one to its options."""
    if isinstance(entry, str):
        return entry, {}
    ((path, options),) = entry.items()
    return path, options or {}


def _params(entry: Any) -> list[tuple[str, str]]:
    if isinstance(entry, str):
        return [("params.yaml", entry)]
    return [(file, key) for file, keys in entry.items() for key in keys]


def _locked(stage: Mapping[str, Any]) -> Locked:
    return Locked(
        " ".join(stage["cmd"].split()),
        {entry["path"]: entry["md5"] for entry in stage.get("deps", [])},
        {entry["path"]: entry["md5"] for entry in stage.get("outs", [])},
        {(file, key): value for file, values in stage.get("params", {}).items() for key, value in values.items()},
    )
