"""A suite: the sources that its params list, and the places of all that its stages write."""

from functools import cached_property
from pathlib import Path
from typing import Any

from bench.errors import BenchError
from bench.registry import Source, load_source
from bench.root import ROOT, shown
from bench.schema import problems
from bench.yamls import read_yaml


class _Params(dict[str, Any]):
    """Params in which a missing block is a sentence."""

    def __init__(self, values: dict[str, Any], name: str) -> None:
        super().__init__(values)
        self._name = name

    def __missing__(self, key: str) -> Any:
        raise BenchError(
            f"{self._name} has no `{key}`, which this stage needs: the starter's params.yaml shows all blocks"
        )


class Suite:
    """`directory` holds raw/, corpus/, sets/, runs/ and scores/.

    The starter lives in `bench`, and its params.yaml and metrics/ at the top of the repository; every other suite
    keeps them in its own directory. Registry entries in `directory`/sources/ come before those of bench/sources/.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory.resolve() if directory.is_dir() else ROOT / directory
        if not self.directory.is_dir():
            raise BenchError(
                f"{directory} is no suite: `--suite` takes a directory such as bench or suites/third-party"
            )
        self.home = ROOT if self.directory == ROOT / "bench" else self.directory
        self.registry = self.directory / "sources"
        self.raw = self.directory / "raw"
        self.corpus = self.directory / "corpus"
        self.sets = self.directory / "sets"
        self.runs = self.directory / "runs"
        self.scores = self.directory / "scores"
        self.metrics = self.home / "metrics"
        self.manifest = self.corpus / "manifest.jsonl"
        self.validation = self.directory / "validation.json"

    @cached_property
    def params(self) -> dict[str, Any]:
        """All of params.yaml. BenchError where it is missing, broken, or breaks params.schema.json.

        A block that a stage asks for and that is not there is a BenchError too.
        """
        path = self.home / "params.yaml"
        params: dict[str, Any] = read_yaml(path, self.show(path))
        if found := problems("params", params):
            raise BenchError(f"{self.show(path)}: " + "; ".join(found))
        return _Params(params, self.show(path))

    @cached_property
    def sources(self) -> list[Source]:
        """The sources that params list, in that order."""
        names = self.params["sources"]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise BenchError(f"{self.show(self.home / 'params.yaml')}: sources names {', '.join(twice)} more than once")
        sources = [load_source(name, [self.registry]) for name in names]
        datasets = [source.dataset for source in sources]
        if clash := sorted({dataset for dataset in datasets if datasets.count(dataset) > 1}):
            raise BenchError(
                f"several sources of the suite are of dataset {clash[0]}, so their ids would clash: list one"
            )
        return sources

    @property
    def splits(self) -> list[str]:
        """What retrieve and score may read: `dev`, and `test` besides when `score.acceptance` is on."""
        return ["dev", "test"] if self.params["score"]["acceptance"] else ["dev"]

    def options(self, source: Source) -> dict[str, Any]:
        """The adapter's options for a source: its registry entry's, overridden by this suite's params.

        BenchError where params set an option that the entry does not name, or options of no source of theirs.
        """
        stated: dict[str, dict[str, Any]] = self.params.get("options") or {}
        where = self.show(self.home / "params.yaml")
        if unlisted := sorted(set(stated) - set(self.params["sources"])):
            raise BenchError(f"{where}: options names {unlisted[0]!r}, which is not among sources")
        own = stated.get(source.name, {})
        allowed = {*source.options, "cap"}
        if unknown := sorted(set(own) - allowed):
            raise BenchError(
                f"{where}: options of {source.name} has {unknown[0]!r}; allowed: {', '.join(sorted(allowed))}"
            )
        return {**source.options, **own}

    def show(self, path: Path) -> str:
        """See bench.root.shown."""
        return shown(path)

    def check_raw_is_what_params_list(self) -> None:
        """BenchError where raw/ holds a directory of no listed source: a removed source stays on disk under DVC."""
        if not self.raw.is_dir():
            raise BenchError(f"{self.show(self.raw)} is missing: run the fetch stage, or `dvc pull`")
        listed = {source.name for source in self.sources}
        found = {path.name for path in self.raw.iterdir() if not path.name.startswith(".")}
        if extra := sorted(found - listed):
            raise BenchError(
                f"{self.show(self.raw)} holds {', '.join(extra)}, which params.yaml does not list: "
                "remove what is left of a removed source, or list it"
            )
        if missing := sorted(listed - found):
            raise BenchError(f"{self.show(self.raw)} lacks {', '.join(missing)}: run the fetch stage, or `dvc pull`")
