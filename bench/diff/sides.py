"""One suite in one state: its metrics, checked, and its data as records."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

import msgspec
import yaml

from bench.diff.states import State
from bench.errors import CannotCompare
from bench.jsonl import parse_strict
from bench.records import MODALITIES, Annotation, Atom, CorpusHead

T = TypeVar("T")
NOT_PLACES = ("by_source", "by_scenario", "counts")


class Record(msgspec.Struct, frozen=True):
    """What a measure of scores.json must be."""

    value: float
    numerator: float
    denominator: int
    n: int
    of: str


class PerQuery(msgspec.Struct, frozen=True):
    """What a comparison needs of a line of per_query.jsonl."""

    query_id: str
    modality: str
    dataset: str
    split: str
    scores: dict[str, float]


class LeftOut(msgspec.Struct, frozen=True):
    """A row of sets/excluded.jsonl."""

    dataset: str
    kind: str
    item: str
    reason: str
    detail: str


class _Keyed(msgspec.Struct, frozen=True):
    query_id: str


class Side:
    """`suite` is its directory within the repository: bench (whose metrics lie at the top), suites/third-party, ...

    Metrics that are missing or broken are CannotCompare; data that is not at hand is NotAtHand, where it is asked for.
    """

    def __init__(self, state: State, suite: str) -> None:
        self.state = state
        self.suite = suite
        self.home = "" if suite == "bench" else f"{suite}/"

    def __str__(self) -> str:
        return str(self.state)

    @cached_property
    def exists(self) -> bool:
        """Whether the state has the suite at all."""
        return self.state.read(f"{self.home}dvc.yaml") is not None or bool(self.state.folder(f"{self.home}metrics"))

    @cached_property
    def params(self) -> Mapping[str, Any]:
        """All of params.yaml; empty where the state has none. CannotCompare where it is broken."""
        path = f"{self.home}params.yaml"
        try:
            params = yaml.load(self.state.read(path) or b"{}", yaml.CSafeLoader)
        except yaml.YAMLError as error:
            raise CannotCompare(f"{path} of {self} is not valid YAML: {error}") from None
        if not isinstance(params, dict):
            raise CannotCompare(f"{path} of {self} holds no mapping")
        return params

    def setting(self, section: str, name: str, default: Any) -> Any:
        """`params[section][name]`, or `default` where params say nothing."""
        return (self.params.get(section) or {}).get(name, default)

    @cached_property
    def scores(self) -> dict[str, dict[str, Any]]:
        """{system: scores.json}: the systems of params in their order, then others that have scores."""
        if not self.exists:
            return {}
        folder = f"{self.home}metrics"
        listed = list(self.setting("retrieve", "systems", []))
        found = [name for name in self.state.folder(folder) if self.state.read(f"{folder}/{name}/scores.json")]
        systems = [*listed, *(name for name in found if name not in listed)]
        if not systems:
            raise CannotCompare(f"{folder} of {self} has no <system>/scores.json: run `dvc repro` there and commit it")
        return {name: self._scores(f"{folder}/{name}/scores.json") for name in systems}

    def _scores(self, path: str) -> dict[str, Any]:
        document = self._document(path)
        if document is None:
            raise CannotCompare(f"{path} is missing in {self}: run `dvc repro` there and commit what it writes")
        try:
            places = {name: splits for name, splits in document.items() if name not in NOT_PLACES}
            for block in (places, document.get("by_source", {})):
                msgspec.convert(block, dict[str, dict[str, dict[str, Record]]])
        except (msgspec.ValidationError, AttributeError) as error:
            raise CannotCompare(
                f"{path} of {self} is no document of scores ({error}): run `dvc repro` there and commit it"
            ) from None
        return dict(document)

    @cached_property
    def dataset(self) -> Mapping[str, Any]:
        """dataset.json; empty where the state has none."""
        return self._document(f"{self.home}metrics/dataset.json") or {}

    @cached_property
    def provenance(self) -> Mapping[str, Any]:
        """provenance.json; empty where the state has none."""
        return self._document(f"{self.home}metrics/provenance.json") or {}

    def latency(self, system: str) -> Mapping[str, Any] | None:
        """latency.json of a system, which only a machine that ran it has."""
        return self._document(f"{self.home}metrics/{system}/latency.json")

    def _document(self, path: str) -> dict[str, Any] | None:
        data = self.state.read(path)
        if data is None:
            return None
        try:
            document = parse_strict(data)
        except ValueError as error:
            raise CannotCompare(
                f"{path} of {self} is not valid JSON: {error}; run `dvc repro` there and commit it"
            ) from None
        if not isinstance(document, dict):
            raise CannotCompare(f"{path} of {self} holds no JSON object: run `dvc repro` there and commit it")
        return document

    @property
    def splits(self) -> list[str]:
        """The splits that the state's scores are of."""
        return ["dev", "test"] if self.setting("score", "acceptance", False) else ["dev"]

    @cached_property
    def queries(self) -> dict[str, Annotation]:
        """Every query of the sets, by id."""
        names = [name for name in self.state.data(f"{self.suite}/sets") if name.partition(".")[0] in MODALITIES]
        return {query.query_id: query for name in names for query in self._rows(f"sets/{name}", Annotation)}

    @cached_property
    def left_out(self) -> dict[tuple[str, str], LeftOut]:
        """The question rows of sets/excluded.jsonl by (dataset, item)."""
        rows = self._rows("sets/excluded.jsonl", LeftOut)
        return {(row.dataset, row.item): row for row in rows if row.kind == "question"}

    @cached_property
    def corpus(self) -> dict[str, CorpusHead]:
        """Every corpus entry, without its text, by id."""
        names = [name for name in self.state.data(f"{self.suite}/corpus") if name.partition(".")[0] in MODALITIES]
        return {head.source_id: head for name in names for head in self._rows(f"corpus/{name}", CorpusHead)}

    @cached_property
    def textless(self) -> set[str]:
        """The datasets on which a system that reads text cannot be measured."""
        return {row["dataset"] for row in self._rows("corpus/manifest.jsonl", dict) if row["text"] == "none"}

    def per_query(self, system: str) -> dict[str, PerQuery]:
        """The scores of every query that the state scored, by id."""
        return {line.query_id: line for line in self._rows(f"scores/{system}/per_query.jsonl", PerQuery)}

    def reads_text(self, system: str) -> bool:
        """Whether the system says of itself that it reads text alone."""
        if "system.json" not in self.state.data(f"{self.suite}/runs/{system}"):
            return False
        with self.state.open(f"{self.suite}/runs/{system}/system.json") as file:
            return bool(parse_strict(file.read()).get("reads") == "text")

    def atoms(self, system: str) -> dict[str, Atom]:
        """The chunks that a run's hits may name, by id."""
        if "atoms.jsonl" not in self.state.data(f"{self.suite}/runs/{system}"):
            return {}
        return {atom.atom_id: atom for atom in self._rows(f"runs/{system}/atoms.jsonl", Atom)}

    def run(self, system: str, modality: str) -> dict[str, bytes]:
        """The lines of a run by query_id, as they stand in the file; empty where the run has no such file."""
        if f"{modality}.jsonl" not in self.state.data(f"{self.suite}/runs/{system}"):
            return {}
        path = f"runs/{system}/{modality}.jsonl"
        return {row.query_id: line for line, row in self._lines(path, _Keyed)}

    def _rows(self, path: str, kind: type[T]) -> Iterator[T]:
        return (row for _, row in self._lines(path, kind))

    def _lines(self, path: str, kind: type[T]) -> Iterator[tuple[bytes, T]]:
        decoder = msgspec.json.Decoder(kind)
        with self.state.open(f"{self.suite}/{path}") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield line, decoder.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    raise CannotCompare(
                        f"{self.suite}/{path}:{number} of {self} is not a {kind.__name__} record ({error}): "
                        "its data is damaged or of another version; `dvc repro` there"
                    ) from None
