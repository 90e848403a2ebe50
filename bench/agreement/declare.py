"""What is declared of a votes file: its categories, their order, and the bar that it must reach.

It stands in the YAML file beside it (`pages.jsonl`: `pages.yaml`), else in params under `agreement.votes.pages`; the
command line goes before both. Categories are never taken from the votes: one that nobody used yet would be missing.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from bench.agreement.votes import SKIP, label_text
from bench.errors import BenchError
from bench.yamls import read_yaml

Share = Annotated[float, Meta(ge=0, le=1)]
Whole = Annotated[int, Meta(ge=2)]
T = TypeVar("T", bound=msgspec.Struct)

# What tables write where a value is missing.
MISSING = frozenset({"", "nan", "null", "n/a", "<na>"})


class Declaration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The categories of a votes file, lowest first where `ordinal`; `critical` and `benchmark` raise the bar."""

    categories: list[str | int | float | bool] = []
    ordinal: bool = False
    critical: bool = False
    benchmark: bool = False


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The block `agreement` of params.yaml.

    min_annotators   votes that an item needs; `_critical` where the declaration says critical
    min_kappa        the coefficient that a set needs; `_benchmark` where the declaration says benchmark
    max_prevalence   a larger share of votes in one category makes a low coefficient say little
    min_majority     of an item's votes, its label needs more than this share
    votes            declarations by the name of the votes file without its ending
    """

    min_annotators: Whole = 3
    min_annotators_critical: Whole = 5
    min_kappa: Share = 0.6
    min_kappa_benchmark: Share = 0.8
    max_prevalence: Share = 0.9
    min_majority: Annotated[float, Meta(ge=0.5, lt=1)] = 0.5
    votes: dict[str, Declaration] = {}


def settings(params: dict[str, Any], where: str) -> Settings:
    """The settings of a suite's params; the defaults where it has no block `agreement`."""
    return _convert(params.get("agreement") or {}, Settings, f"{where}: agreement")


def declaration(path: Path, stated: Declaration, found: Settings) -> Declaration:
    """What holds for the votes file at `path`; `stated` is the command line's. BenchError without categories."""
    sidecar = path.with_suffix(".yaml")
    if sidecar.is_file():
        base = _convert(read_yaml(sidecar, sidecar.as_posix()), Declaration, sidecar.as_posix())
    else:
        base = found.votes.get(path.stem, Declaration())
    merged = Declaration(
        categories=stated.categories or base.categories,
        ordinal=stated.ordinal or base.ordinal,
        critical=stated.critical or base.critical,
        benchmark=stated.benchmark or base.benchmark,
    )
    if not merged.categories:
        raise BenchError(
            f"{path}: its categories are not declared: name them with --categories a,b,c, in {sidecar.name} beside it "
            f"(categories: [a, b, c]), or in params under agreement.votes.{path.stem}"
        )
    _check(merged.categories, path)
    return merged


def _check(categories: Sequence[str | float | bool], path: Path) -> None:
    if any(isinstance(category, bool) for category in categories):
        raise BenchError(f"{path}: quote the categories: YAML reads yes, no, on, off, true and false as booleans")
    names = [label_text(category) for category in categories]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BenchError(f"{path}: category {twice[0]!r} is declared twice; each stands once")
    for name in names:
        if name != name.strip() or not name.isprintable() or name.lower() in MISSING or name == SKIP:
            raise BenchError(
                f"{path}: {name!r} cannot be a category: no blank, no blanks around it, no control characters, not "
                f"{SKIP!r}, and nothing that tables write where a value is missing (nan, null)"
            )
    if len(names) < 2:
        raise BenchError(f"{path}: only one category is declared, so that nobody can disagree; declare all")


def _convert(value: Any, kind: type[T], where: str) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        allowed = ", ".join(kind.__struct_fields__)
        raise BenchError(f"{where}: {error}; it may have {allowed}") from None
