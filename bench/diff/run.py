"""`bench diff`: which states and suites are compared, and where the outcome goes."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from bench.diff.compare import Options, compare
from bench.diff.model import Comparison
from bench.diff.sides import Side
from bench.diff.states import State, Workspace, merge_base, repository, revision
from bench.errors import CannotCompare
from bench.jsonl import encode, replacing


def compare_suites(old: str | None, new: str | None, suites: Sequence[str], options: Options) -> list[Comparison]:
    """Compare `old` (None: where HEAD left the main branch) with `new` (None: the workspace), suite by suite.

    No `suites`: all that have a dvc.yaml on either side. CannotCompare where a state or suite cannot be read.
    """
    root = repository(Path.cwd())
    before: State = revision(root, old) if old else merge_base(root)
    after: State = revision(root, new) if new else Workspace(root)
    names = [_relative(root, suite) for suite in suites] or _suites(before, after)
    return [compare(Side(before, name), Side(after, name), options) for name in names]


def _relative(root: Path, suite: str) -> str:
    """The suite's directory within the repository, named from there or from the current folder."""
    path = Path(suite)
    inside = path.resolve() if path.is_dir() else root / path
    if not inside.is_relative_to(root) or inside == root:
        raise CannotCompare(f"--suite {suite} is no directory of a suite within {root.name}, such as bench")
    return inside.relative_to(root).as_posix()


def _suites(old: State, new: State) -> list[str]:
    named = dict.fromkeys(f"suites/{name}" for state in (old, new) for name in state.folder("suites"))
    places = {"bench": "dvc.yaml"} | {name: f"{name}/dvc.yaml" for name in named}
    found = [name for name, pipeline in places.items() if any(state.read(pipeline) is not None for state in (old, new))]
    if not found:
        raise CannotCompare(f"neither {old} nor {new} has a dvc.yaml of a suite: name one with --suite DIR")
    return found


def show_and_write(
    comparisons: Sequence[Comparison], targets: Mapping[str, str | None], every: bool, details: bool
) -> None:
    """Write {json, md, html: FILE or `-` for stdout}; print tables unless one of them takes stdout.

    Files are written whole or not at all.
    """
    if "-" not in targets.values():
        from bench.diff.terminal import show

        show(comparisons, every, details)
    for kind, target in targets.items():
        if target == "-":
            sys.stdout.buffer.write(_rendered(kind, comparisons))
            sys.stdout.buffer.flush()
        elif target:
            with replacing(Path(target)) as file:
                file.write(_rendered(kind, comparisons))


def _rendered(kind: str, comparisons: Sequence[Comparison]) -> bytes:
    if kind == "md":
        from bench.diff.markdown import render

        return render(comparisons).encode()
    if kind == "html":
        from bench.diff.page import render as render_page

        return render_page(comparisons).encode()
    return msgspec.json.format(encode({"suites": comparisons}), indent=1) + b"\n"
