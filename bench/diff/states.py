"""The two states of a comparison: a git revision, or the workspace. Neither is checked out or written to.

What git tracks (metrics, params) is read from git; what DVC tracks (sets, corpora, runs, per-query scores) from DVC's
cache, else its remote. Data that is in neither is `NotAtHand`: metrics can still be compared, causes cannot.
"""

import subprocess
from abc import ABC, abstractmethod
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from bench.errors import BenchError, CannotCompare

MAIN_BRANCHES = ("origin/main", "main", "origin/master", "master")
WORKSPACE = "workspace"


class NotAtHand(BenchError):
    """Data that a state has by its lock, but that lies neither here nor in a cache or remote that can be reached."""


class State(ABC):
    """`name` is how the user called it, `commit` its sha or `workspace`. Paths are relative to the repository."""

    def __init__(self, root: Path, name: str, commit: str) -> None:
        self.root = root
        self.name = name
        self.commit = commit

    def __str__(self) -> str:
        return self.name if self.commit in (WORKSPACE, self.name) else f"{self.name} ({self.commit[:7]})"

    @abstractmethod
    def read(self, path: str) -> bytes | None:
        """A file that git tracks, or that stands on disk; None where there is none."""

    @abstractmethod
    def folder(self, path: str) -> list[str]:
        """The names in a folder of such files, sorted; none where there is no such folder."""

    @abstractmethod
    def open(self, path: str) -> BinaryIO:
        """A file that DVC tracks. NotAtHand where its bytes cannot be had."""

    @abstractmethod
    def data(self, path: str) -> list[str]:
        """The names in a folder of such files, sorted. NotAtHand where there is no such folder."""


class Workspace(State):
    """What lies on disk, committed or not."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, WORKSPACE, WORKSPACE)

    def read(self, path: str) -> bytes | None:
        """See State."""
        try:
            return (self.root / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def folder(self, path: str) -> list[str]:
        """See State."""
        folder = self.root / path
        return sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []

    def open(self, path: str) -> BinaryIO:
        """See State."""
        try:
            return (self.root / path).open("rb")
        except FileNotFoundError:
            raise NotAtHand(f"{path} is not in the workspace: `dvc pull`, or `dvc repro`") from None

    def data(self, path: str) -> list[str]:
        """See State."""
        if not (self.root / path).is_dir():
            raise NotAtHand(f"{path} is not in the workspace: `dvc pull`, or `dvc repro`")
        return self.folder(path)


class Revision(State):
    """A commit, read from git's objects and DVC's cache or remote."""

    def read(self, path: str) -> bytes | None:
        """See State."""
        return _git(self.root, "cat-file", "blob", f"{self.commit}:{path}")

    def folder(self, path: str) -> list[str]:
        """See State."""
        listed = _git(self.root, "ls-tree", "-z", "--name-only", self.commit, f"{path}/")
        return sorted(name.rpartition("/")[2] for name in (listed or b"").decode().split("\0") if name)

    def open(self, path: str) -> BinaryIO:
        """See State."""
        try:
            file: BinaryIO = self._files.open(f"/{path}", "rb")
        except Exception as error:  # a remote's client may raise anything
            raise NotAtHand(
                f"{path} of {self} is in no cache or remote that can be read ({error}): "
                f"`dvc fetch --all-commits`, or check out {self.commit[:7]} and `dvc repro`"
            ) from None
        return file

    def data(self, path: str) -> list[str]:
        """See State."""
        try:
            return sorted(name.rpartition("/")[2] for name in self._files.ls(f"/{path}", detail=False))
        except FileNotFoundError:
            raise NotAtHand(f"{path} is no output in {self}: `dvc repro` there and commit dvc.lock") from None

    @cached_property
    def _files(self) -> Any:
        from dvc.api import DVCFileSystem
        from dvc.exceptions import DvcException

        try:
            return DVCFileSystem(str(self.root), rev=self.commit)
        except DvcException as error:
            raise NotAtHand(f"the data of {self} cannot be read: {error}") from None


def repository(start: Path) -> Path:
    """The top of the git repository that holds `start`. CannotCompare outside of one."""
    top = _git(start, "rev-parse", "--show-toplevel")
    if top is None:
        raise CannotCompare(f"{start} is not in a git repository: run `bench diff` inside a clone of the benchmark")
    return Path(top.decode().rstrip("\n"))


def revision(root: Path, name: str) -> Revision:
    """The commit that `name` (a branch, tag, sha, HEAD~1) stands for. CannotCompare where there is none."""
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    if commit is None:
        raise CannotCompare(
            f"{name!r} is no revision of this repository"
            + (_SHALLOW if _is_shallow(root) else ": see `git branch --all`, `git tag`, `git log`, or `git fetch` it")
        )
    return Revision(root, name, commit.decode().strip())


def merge_base(root: Path) -> Revision:
    """Where HEAD left the main branch: the first of MAIN_BRANCHES that exists. CannotCompare where there is none."""
    if _git(root, "rev-parse", "--verify", "--quiet", "HEAD") is None:
        raise CannotCompare("the repository has no commit yet: there is nothing to compare with")
    for branch in MAIN_BRANCHES:
        if _git(root, "rev-parse", "--verify", "--quiet", f"{branch}^{{commit}}") is None:
            continue
        commit = _git(root, "merge-base", "HEAD", branch)
        if commit is None:
            raise CannotCompare(
                f"HEAD and {branch} have no common ancestor"
                + (_SHALLOW if _is_shallow(root) else ": name two revisions, `bench diff A B`")
            )
        return Revision(root, f"merge-base with {branch}", commit.decode().strip())
    raise CannotCompare(
        f"none of {', '.join(MAIN_BRANCHES)} exists here, so there is no main branch to compare with"
        + (_SHALLOW if _is_shallow(root) else ": name a revision, `bench diff A`")
    )


_SHALLOW = (
    ", and this clone is shallow: bring its history with `git fetch --unshallow` (`fetch-depth: 0` in a checkout of CI)"
)


def _is_shallow(root: Path) -> bool:
    return _git(root, "rev-parse", "--is-shallow-repository") == b"true\n"


def _git(folder: Path, *arguments: str) -> bytes | None:
    """What git prints; None where it refuses."""
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)  # noqa: S603, S607
    return done.stdout if done.returncode == 0 else None
