"""sha256 of files, at the speed of the disk, and of code."""

import hashlib
import os
from pathlib import Path
from typing import NamedTuple

from bench.root import ROOT

# A small file in one read of a small buffer: allocating a large one costs more than hashing 4 KB.
_SMALL = 1 << 16
_LARGE = 1 << 20


class Content(NamedTuple):
    """What a file holds: its sha256 in hex, and its size in bytes."""

    sha256: str
    bytes: int


def hash_file(path: Path) -> Content:
    """The content of the file at `path`. OSError where it cannot be read."""
    state = hashlib.sha256()
    total = 0
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        block = os.read(handle, _SMALL)
        while block:
            state.update(block)
            total += len(block)
            block = os.read(handle, _LARGE if total > _SMALL else _SMALL)
    finally:
        os.close(handle)
    return Content(state.hexdigest(), total)


def code_digest(places: tuple[str, ...]) -> str:
    """One sha256 over the Python files at these places of the repository, by name and text; line ends do not count."""
    whole = hashlib.sha256()
    for place in places:
        path = ROOT / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            text = file.read_text("utf-8").replace("\r\n", "\n")
            whole.update(f"{file.relative_to(ROOT).as_posix()}\0{text}\0".encode())
    return whole.hexdigest()
