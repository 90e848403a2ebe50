"""What a conversion is told: which file plays which part, and which column is which field."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.custom.layout import DEFAULT_SPLIT
from bench.errors import BenchError

FIELDS = {
    "corpus": ("_id", "text", "title"),
    "queries": ("_id", "text"),
    "qrels": ("query-id", "corpus-id", "score"),
}
OPTIONAL = ("title",)
_CONFIGS = {"corpus": "corpus", "queries": "queries", "qrels": "qrels", "default": "qrels"}
_SPLIT = re.compile(r"[\w.-]+")
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")
_SOURCES = "corpus=FILE, queries=FILE, qrels=FILE, qrels:SPLIT=FILE, or a folder of parquet configs"


class Source(NamedTuple):
    """A file and its part: corpus, queries or qrels. `split` is empty but for qrels."""

    role: str
    split: str
    path: Path


class Options(NamedTuple):
    """mapped     {(role, field): column}

    columns    {role: the columns of a table that has no header}
    encoding   of text files; None: UTF-8, or as a byte order mark says
    quoted     whether fields of CSV and TSV may stand in double quotes
    positions  whether topics are numbered by their position, not by <num>
    """

    mapped: dict[tuple[str, str], str]
    columns: dict[str, list[str]]
    encoding: str | None
    quoted: bool
    positions: bool

    @classmethod
    def parse(
        cls, mapped: Sequence[str], columns: Sequence[str], encoding: str | None, quoting: str, topic_ids: str
    ) -> "Options":
        """Options as they are written on the command line. BenchError on one that is none."""
        if quoting not in ("double", "none"):
            raise BenchError(f"--quoting {quoting}; allowed: double, none")
        if topic_ids not in ("num", "position"):
            raise BenchError(f"--topic-ids {topic_ids}; allowed: num, position")
        if encoding is not None:
            _check_encoding(encoding)
        return cls(
            dict(map(_parse_map, mapped)),
            dict(map(_parse_columns, columns)),
            encoding,
            quoting == "double",
            topic_ids == "position",
        )


def _check_encoding(name: str) -> None:
    try:
        "".encode(name)
    except LookupError:
        raise BenchError(
            f"--encoding {name} is none that Python knows; allowed: names such as cp1252, gb18030"
        ) from None


def _parse_map(written: str) -> tuple[tuple[str, str], str]:
    target, _, column = written.partition("=")
    role, _, field = target.partition(".")
    if not column or field not in FIELDS.get(role, ()):
        allowed = ", ".join(f"{role}.{field}" for role, fields in FIELDS.items() for field in fields)
        raise BenchError(f"--map {written}; allowed: ROLE.FIELD=COLUMN with one of {allowed}")
    return (role, field), column


def _parse_columns(written: str) -> tuple[str, list[str]]:
    role, _, names = written.partition("=")
    columns = names.split(",")
    if role not in FIELDS or not all(columns) or len({*columns}) != len(columns):
        raise BenchError(f"--columns {written}; allowed: ROLE=NAME,NAME with a role of {', '.join(FIELDS)}")
    return role, columns


def parse_sources(written: Sequence[str]) -> list[Source]:
    """The files of a conversion, in the order given. BenchError on what is no file with a part."""
    sources: list[Source] = []
    for item in written:
        if Path(item).is_dir():
            sources += _configs(Path(item))
            continue
        target, _, path = item.partition("=")
        role, _, split = target.partition(":")
        if role not in FIELDS or not path or (split and role != "qrels"):
            raise BenchError(f"source {item!r}; allowed: {_SOURCES}")
        if split and not _SPLIT.fullmatch(split):
            raise BenchError(f"source {item!r}: a split's name holds letters, digits, dots, dashes and underscores")
        if not Path(path).is_file():
            raise BenchError(f"source {item!r}: {path} is no file")
        sources.append(Source(role, split or (DEFAULT_SPLIT if role == "qrels" else ""), Path(path)))
    return sources


def _configs(folder: Path) -> list[Source]:
    """The parquet files of a folder in the style of Hugging Face: a subfolder a config, a file a split."""
    found = [
        Source(role, _SHARD.sub("", path.stem) if role == "qrels" else "", path)
        for config, role in _CONFIGS.items()
        for path in sorted((folder / config).glob("*.parquet"))
    ]
    if not found:
        raise BenchError(f"{folder} has no parquet in corpus/, queries/ and qrels/ or default/; allowed: {_SOURCES}")
    return found
