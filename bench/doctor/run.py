"""The examination of a suite, and what is said about it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from bench.doctor import checks
from bench.doctor.hashes import md5_of
from bench.doctor.lock import Pipeline, relock
from bench.doctor.rescore import scores_are_of_the_runs
from bench.errors import BenchError
from bench.jsonl import read_document
from bench.root import ROOT
from bench.suite import Suite

SHOWN = 30
TO_DO = (
    "what to do: after a merge or an edit, `{relock}`: it runs every stage and writes dvc.lock and metrics anew; "
    "commit both. Where data alone differs, `dvc checkout` brings that of dvc.lock."
)


class Diagnosis(NamedTuple):
    """What contradicts, and what could not be checked, each a sentence."""

    suite: str
    contradictions: list[str]
    unchecked: list[str]


def every_suite() -> list[Suite]:
    """The starter, and each suite of suites/ that has a dvc.yaml."""
    return [Suite(ROOT / "bench"), *(Suite(path.parent) for path in sorted(ROOT.glob("suites/*/dvc.yaml")))]


def examine(suite: Suite, quick: bool, rescore: bool) -> Diagnosis:
    """Hold everything against everything. `quick`: leave DVC's data unread. `rescore`: compute the scores anew.

    BenchError only where there is nothing to examine: no dvc.yaml, or a `rescore` without data.
    """
    name = suite.show(suite.directory)
    try:
        pipeline = Pipeline(suite)
    except BenchError as error:
        return Diagnosis(name, [str(error)], [])
    on_disk = _on_disk(pipeline, quick)
    absent = sorted(pipeline.cached - on_disk.keys())
    found = [
        *checks.declared_is_locked(pipeline),
        *checks.params_are_locked(pipeline),
        *checks.stages_fit(pipeline),
        *checks.disk_is_locked(pipeline, on_disk),
        *_of_provenance(pipeline, quick),
    ]
    if rescore and absent:
        raise BenchError(f"{name}: --rescore needs the data; not here: {', '.join(absent[:3])}, ...: `dvc pull`")
    if rescore:
        found += scores_are_of_the_runs(suite)
    return Diagnosis(name, found, _unchecked(pipeline, absent, quick))


def _on_disk(pipeline: Pipeline, quick: bool) -> dict[str, str]:
    """md5 by path of every dep and out that is here."""
    paths = {path for stage in pipeline.locked.values() for path in (*stage.deps, *stage.outs)}
    if quick:
        paths -= pipeline.cached
    return {path: md5_of(pipeline.base / path) for path in sorted(paths) if (pipeline.base / path).exists()}


def _of_provenance(pipeline: Pipeline, quick: bool) -> list[str]:
    path = pipeline.suite.metrics / "provenance.json"
    try:
        provenance: Mapping[str, Any] = read_document(path)
        return [
            *checks.provenance_is_locked(pipeline, provenance),
            *checks.provenance_is_of_this_code(pipeline, provenance),
            *(() if quick else checks.provenance_is_on_disk(pipeline, provenance)),
        ]
    except BenchError as error:
        return [str(error)]
    except (AttributeError, KeyError, TypeError) as error:
        return [f"{pipeline.suite.show(path)} is no provenance of a score (no {error})"]


def _unchecked(pipeline: Pipeline, absent: list[str], quick: bool) -> list[str]:
    if quick:
        return ["the data that DVC keeps (--quick)"]
    if not absent:
        return []
    return [
        f"{len(absent)} of {len(pipeline.cached)} files and folders that DVC keeps, which are not here "
        f"({', '.join(absent[:3])}{', ...' if len(absent) > 3 else ''}): `dvc pull` or `dvc repro` brings them"
    ]


def report(diagnosis: Diagnosis) -> list[str]:
    """The lines that are printed about one suite."""
    unchecked = [f"  not checked: {sentence}" for sentence in diagnosis.unchecked]
    found = diagnosis.contradictions
    if not found:
        return [f"{diagnosis.suite}: lock, metrics, provenance and workspace belong together", *unchecked]
    rest = [f"  and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    lines = [f"  {sentence}" for sentence in found[:SHOWN]]
    to_do = TO_DO.format(relock=relock(diagnosis.suite))
    return [f"{diagnosis.suite}: {len(found)} contradictions", *lines, *rest, f"  {to_do}", *unchecked]
