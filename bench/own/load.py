"""Where a run lies: a system of the suite by name, a folder of `<modality>.jsonl`, or one file for all modalities."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.errors import BenchError
from bench.jsonl import read_rows
from bench.records import MODALITIES, Annotation, RunLine
from bench.score.runs import Run
from bench.suite import Suite

BESIDE = ("atoms.jsonl",)
ALLOWED = f"a run holds {', '.join(f'{modality}.jsonl' for modality in MODALITIES)}, and atoms.jsonl beside them"


class OneFile(Run):
    """A run in one file under any name: each line is of its query's modality."""

    def __init__(self, path: Path, name: str, queries: Mapping[str, Annotation]) -> None:
        super().__init__(path.parent, name)
        self.path = path
        self._queries = queries

    @property
    def files(self) -> list[Path]:
        """The file."""
        return [self.path]

    def lines(self) -> Iterator[tuple[str, RunLine]]:
        """(modality, line), streamed. BenchError where a query is none of the suite, or has two lines."""
        for _, line in super().lines():
            if line.query_id not in self._queries:
                raise BenchError(f"{self.path}: {line.query_id!r} is no query of this suite")
            yield self._queries[line.query_id].modality, line


def locate(run: Path, suite: Suite) -> Path:
    """The folder or file that `run` names: as a path, else as a system of the suite. BenchError where it is neither."""
    if run.exists():
        return run
    if (suite.runs / run).is_dir():
        return suite.runs / run
    systems = ", ".join(sorted(path.name for path in suite.runs.glob("*/"))) or "none"
    raise BenchError(f"{run} is no folder or file, and no system of {suite.show(suite.runs)} (there: {systems})")


def load(run: Path, suite: Suite, queries: Mapping[str, Annotation]) -> Run:
    """The run that `run` names. BenchError where it is not there, or where its folder holds something else."""
    found = locate(run, suite)
    if found.is_file():
        return OneFile(found, found.stem, queries)
    files_of(found)
    return Run(found, found.resolve().name)


def files_of(run: Path) -> list[Path]:
    """The files of a run that hold its lines. BenchError where there are none, or some under another name.

    A misnamed file would else be a modality without any answer, which scores 0.
    """
    if run.is_file():
        return [run]
    others = sorted(
        path.name for path in run.glob("*.jsonl") if path.stem not in MODALITIES and path.name not in BESIDE
    )
    if others:
        raise BenchError(f"{run} holds {', '.join(others)}; {ALLOWED}")
    files = [path for modality in MODALITIES if (path := run / f"{modality}.jsonl").is_file()]
    if not files:
        raise BenchError(f"{run} holds no run; {ALLOWED}")
    return files


def line_of(run: Run, query: Annotation) -> RunLine | None:
    """The run's line for one query; None where it has none."""
    path = run.path if isinstance(run, OneFile) else run.folder / f"{query.modality}.jsonl"
    if not path.is_file():
        return None
    return next((line for line in read_rows(path, RunLine) if line.query_id == query.query_id), None)
