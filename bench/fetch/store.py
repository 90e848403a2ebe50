"""Fetched files by their sha256, outside of the outputs that DVC deletes before it runs a stage.

`<suite>/.fetch/<sha256>` is whole and right; `<sha256>.partial` is what arrived so far. A run that was killed leaves
both for the next one; a run that succeeds leaves nothing.
"""

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.fetch.progress import Progress
from bench.hashing import hash_file


class Store:
    """The store in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str) -> Path:
        """Where the file with this hash stands once it is whole."""
        return self.folder / sha256

    def partial(self, sha256: str) -> Path:
        """Where the file with this hash grows."""
        return self.folder / f"{sha256}.partial"

    def holds(self, sha256: str) -> bool:
        """Whether the file is here, whole and right. A file that is not is removed."""
        path = self.path(sha256)
        if not path.is_file():
            return False
        if hash_file(path).sha256 == sha256:
            return True
        path.unlink()
        return False

    def keep(self, sha256: str) -> None:
        """Give the partial of this hash, which the caller found whole and right, its final name here."""
        self.partial(sha256).replace(self.path(sha256))

    def place(self, sha256: str, target: Path) -> None:
        """Put the file at `target`, in one step: a hard link, or a copy where the disk has none."""
        target.parent.mkdir(parents=True, exist_ok=True)
        staged = self.folder / f"{sha256}.{os.getpid()}.staged"
        staged.unlink(missing_ok=True)
        try:
            os.link(self.path(sha256), staged)
        except OSError:
            shutil.copyfile(self.path(sha256), staged)
        try:
            staged.replace(target)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            # raw/ lies on another disk than the store, where nothing moves in one step.
            beside = target.with_name(f".{target.name}.{os.getpid()}.staged")
            shutil.copyfile(staged, beside)
            beside.replace(target)
            staged.unlink()


@contextmanager
def opened(folder: Path, progress: Progress) -> Iterator[Store]:
    """The store in `folder`, for this process alone; removed when the block ends without an error.

    Where another process holds it, such as a stage that outlived a killed `dvc`, it says so and waits.
    """
    lock = os.open(folder.parent, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress.say("another fetch of this suite is running; waiting until it ends")
            fcntl.flock(lock, fcntl.LOCK_EX)
        folder.mkdir(exist_ok=True)
        (folder / ".gitignore").write_text("*\n", "utf-8")
        yield Store(folder)
        shutil.rmtree(folder)
    finally:
        os.close(lock)
