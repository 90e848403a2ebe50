"""The md5 that dvc.lock holds of a file or a folder, computed as DVC does, from disk or from the md5s of its files."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

# What .dvcignore leaves out of the folders that stages read or write.
IGNORED_NAMES = {".gitignore", ".DS_Store", "__pycache__"}
IGNORED_SUFFIXES = {".pyc"}


def md5_of(path: Path) -> str:
    """Of a file its md5; of a folder that of its listing, with `.dir` at the end."""
    if path.is_dir():
        return folder_md5({name: md5_of(path / name) for name in _listing(path)})
    digest = hashlib.md5(usedforsecurity=False)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def folder_md5(files: Mapping[str, str]) -> str:
    """The hash of a folder whose files, by path within it, have these md5s."""
    listing = [{"md5": md5, "relpath": name} for name, md5 in sorted(files.items(), key=lambda item: _parts(item[0]))]
    return hashlib.md5(json.dumps(listing, sort_keys=True).encode(), usedforsecurity=False).hexdigest() + ".dir"


def _parts(name: str) -> tuple[str, ...]:
    return tuple(name.split("/"))


def _listing(folder: Path) -> list[str]:
    return [
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file()
        and path.suffix not in IGNORED_SUFFIXES
        and IGNORED_NAMES.isdisjoint(path.relative_to(folder).parts)
    ]
