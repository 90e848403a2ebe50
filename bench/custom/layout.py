"""Which files of a folder make up a data set."""

from pathlib import Path
from typing import NamedTuple

from bench.custom.findings import Findings
from bench.errors import BenchError

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels.jsonl"
DEFAULT_SPLIT = "test"


class Layout(NamedTuple):
    """The files of a data set. `splits` maps names to judgements, in the order of their names."""

    folder: Path
    splits: dict[str, Path]

    @property
    def corpus(self) -> Path:
        """The documents."""
        return self.folder / CORPUS

    @property
    def queries(self) -> Path:
        """The queries of all splits."""
        return self.folder / QUERIES

    def name(self, path: Path) -> str:
        """A file as messages name it: relative to the folder."""
        return path.relative_to(self.folder).as_posix()

    def chosen(self, names: list[str]) -> dict[str, Path]:
        """The splits of these names; all where none is named. BenchError on one that there is not."""
        if missing := [name for name in names if name not in self.splits]:
            raise BenchError(
                f"{self.folder} has no split {missing[0]!r}; it has {', '.join(self.splits) or 'no judgements at all'}"
            )
        return {name: path for name, path in self.splits.items() if not names or name in names}


def find(folder: Path, findings: Findings) -> Layout:
    """The data set in `folder`. What is missing, given twice or not read is added to `findings`."""
    if not folder.is_dir():
        raise BenchError(f"{folder} is no folder: a data set is a folder with {CORPUS}, {QUERIES} and judgements")
    splits = {path.stem: path for path in sorted((folder / "qrels").glob("*.tsv"))}
    whole = folder / QRELS
    if whole.is_file():
        if DEFAULT_SPLIT in splits:
            findings.add("split_twice", f"qrels/{DEFAULT_SPLIT}.tsv", 0, f"{QRELS} is there as well")
        splits[DEFAULT_SPLIT] = whole
    layout = Layout(folder, dict(sorted(splits.items())))
    for path in (layout.corpus, layout.queries):
        if not path.is_file():
            findings.add("missing_file", layout.name(path), 0, "is not there")
    if not splits:
        findings.add("missing_file", QRELS, 0, "is not there, and neither is any qrels/<split>.tsv")
    read = {layout.corpus, layout.queries, *splits.values()}
    for path in sorted([*folder.glob("*.jsonl"), *folder.glob("*.tsv"), *folder.glob("qrels/*.jsonl")]):
        if path not in read:
            findings.add("unread_file", layout.name(path), 0, "is not read")
    return layout
