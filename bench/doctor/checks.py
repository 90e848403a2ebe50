"""What must agree. Each check yields a sentence a contradiction, which names both sides."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bench.doctor.hashes import folder_md5
from bench.doctor.lock import Pipeline
from bench.hashing import code_digest, hash_file
from bench.score.provenance import SCORER, params_digest
from bench.yamls import read_yaml

ABSENT = object()


def declared_is_locked(pipeline: Pipeline) -> Iterator[str]:
    """The stages of dvc.yaml, their commands, deps, outs and params are those of dvc.lock."""
    for name in sorted(pipeline.declared.keys() | pipeline.locked.keys()):
        if name not in pipeline.locked:
            yield f"stage {name} is in dvc.yaml, but dvc.lock has no run of it"
        elif name not in pipeline.declared:
            yield f"stage {name} is in dvc.lock, but not in dvc.yaml"
        else:
            declared, locked = pipeline.declared[name], pipeline.locked[name]
            if declared.cmd != locked.cmd:
                yield f"stage {name} runs {declared.cmd!r}, but dvc.lock is of {locked.cmd!r}"
            yield from _differ(name, "deps", declared.deps, locked.deps)
            yield from _differ(name, "outs", declared.outs, locked.outs)
            yield from _differ(name, "params", (key for _, key in declared.params), (key for _, key in locked.params))


def _differ(stage: str, what: str, declared: Iterable[str], locked: Iterable[str]) -> Iterator[str]:
    declared, locked = set(declared), set(locked)
    if missing := sorted(declared - locked):
        yield f"stage {stage}: dvc.yaml lists {what} that dvc.lock lacks: {', '.join(missing)}"
    if extra := sorted(locked - declared):
        yield f"stage {stage}: dvc.lock has {what} that dvc.yaml does not list: {', '.join(extra)}"


def params_are_locked(pipeline: Pipeline) -> Iterator[str]:
    """The values in params.yaml are those that the stages of dvc.lock ran with."""
    stages: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    documents: dict[str, Any] = {}
    for name, locked in pipeline.locked.items():
        for (file, key), value in locked.params.items():
            if file not in documents:
                documents[file] = read_yaml(pipeline.base / file, file)
            now = _value(documents[file], key)
            if now != value:
                shown = "not there" if now is ABSENT else repr(now)
                stages[file, key, f"{shown} in {file}, and {value!r}"].append(name)
    for (_, key, values), names in stages.items():
        yield f"{key} is {values} in dvc.lock (stage {', '.join(names)})"


def _value(document: Any, key: str) -> Any:
    for name in key.split("."):
        if not isinstance(document, Mapping) or name not in document:
            return ABSENT
        document = document[name]
    return document


def stages_fit(pipeline: Pipeline) -> Iterator[str]:
    """What a stage of dvc.lock read is what an earlier one wrote."""
    outs = pipeline.outs
    for name, locked in pipeline.locked.items():
        for path, md5 in locked.deps.items():
            if outs.get(path, md5) != md5:
                yield (
                    f"dvc.lock contradicts itself: stage {name} read {path} as {_short(md5)}, "
                    f"but what was written is {_short(outs[path])}"
                )


def disk_is_locked(pipeline: Pipeline, on_disk: Mapping[str, str]) -> Iterator[str]:
    """The files and folders at hand, as {path: md5}, are those of dvc.lock. What git keeps must be there."""
    read: dict[tuple[str, str], list[str]] = defaultdict(list)
    cached, outs = pipeline.cached, pipeline.outs
    for name, locked in pipeline.locked.items():
        for path, md5 in {**locked.deps, **locked.outs}.items():
            if on_disk.get(path, md5) != md5 or (path not in on_disk and path not in cached):
                read[path, md5].append(name)
    for (path, md5), names in read.items():
        kind = "data" if path in cached else "a file that the score wrote" if path in outs else "code or a file of git"
        now = f"{_short(on_disk[path])} on disk" if path in on_disk else "not there"
        yield f"{path} ({kind}) is {now}, and {_short(md5)} in dvc.lock (stage {', '.join(names)})"


def provenance_is_locked(pipeline: Pipeline, provenance: Mapping[str, Any]) -> Iterator[str]:
    """The data and runs that provenance.json says were scored are those that dvc.lock says went into the score."""
    suite, outs = pipeline.suite, pipeline.outs
    scored = {pipeline.within(suite.directory / path): entry["md5"] for path, entry in provenance["data"].items()}
    for system, files in provenance["runs"].items():
        scored[pipeline.within(suite.runs / system)] = folder_md5({path: e["md5"] for path, e in files.items()})
    for path, md5 in scored.items():
        if path not in outs:
            yield f"provenance.json is of {path}, which is no out in dvc.lock"
        elif outs[path] != md5:
            yield f"provenance.json is of {path} as {_short(md5)}, and dvc.lock of {_short(outs[path])}"
    folders = [f"{pipeline.within(folder)}/" for folder in (suite.sets, suite.corpus, suite.runs)]
    for path in sorted(outs.keys() - scored.keys()):
        if path.startswith(tuple(folders)):
            yield f"provenance.json does not name {path}, which dvc.lock holds"


def provenance_is_of_this_code(pipeline: Pipeline, provenance: Mapping[str, Any]) -> Iterator[str]:
    """Scorer and params that provenance.json names are those of the working tree."""
    digests = (
        ("scorer", code_digest(SCORER), f"the code in {', '.join(SCORER)}"),
        ("params", params_digest(pipeline.suite), "`score` in params.yaml"),
    )
    for name, now, what in digests:
        if provenance[name]["sha256"] != now:
            yield (
                f"provenance.json says that the scores are by {name} {_short(provenance[name]['sha256'])}, "
                f"but {what} is {_short(now)}"
            )


def provenance_is_on_disk(pipeline: Pipeline, provenance: Mapping[str, Any]) -> Iterator[str]:
    """The sha256 of the data and runs at hand are those that provenance.json says were scored."""
    suite = pipeline.suite
    files = {suite.directory / path: entry for path, entry in provenance["data"].items()}
    for system, of_system in provenance["runs"].items():
        files |= {suite.runs / system / path: entry for path, entry in of_system.items()}
    for path, entry in files.items():
        if path.is_file() and (now := hash_file(path).sha256) != entry["sha256"]:
            yield (
                f"{suite.show(path)} has sha256 {_short(now)}, "
                f"and {_short(entry['sha256'])} was scored by provenance.json"
            )


def _short(digest: str) -> str:
    return digest[:8]
