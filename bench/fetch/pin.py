"""`bench pin`: take sha256, size and moment of a source's files into its registry entry, once, by a person.

From then on the hash decides what is right. So an entry that has one is never changed without being asked to, and
nothing is written unless every file could be had. Comments and quotes of the YAML stay.
"""

import io
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from ruamel.yaml import YAML

from bench.errors import BenchError
from bench.fetch.progress import Progress, shown
from bench.fetch.receive import receive
from bench.fetch.transport import TransferError, stream
from bench.hashing import Content, hash_file
from bench.jsonl import replacing
from bench.registry import File, Source, load_source, source_path
from bench.times import render

JOBS = 8
RETRIES = 3


class Change(NamedTuple):
    """A file whose entry was written: its content, and the sha256 that stood there before."""

    path: str
    content: Content
    before: str | None


def pin(name: str, folder: Path | None, update: bool, registries: Sequence[Path] = ()) -> list[Change]:
    """Pin the source `name`: files from `folder` where it holds them, else from their url. Returns what was written.

    BenchError where a file cannot be had, where a pinned hash would change without `update`, or where all is pinned.
    """
    source = load_source(name, registries)
    if folder is not None and not folder.is_dir():
        raise BenchError(f"--from {folder} is no folder")
    contents = _contents(source, folder, update)
    changes = [
        Change(file.path, contents[file.path], file.sha256)
        for file in source.files
        if file.path in contents and (update or not file.pinned)
    ]
    _refuse_changes(source, contents, update)
    if not changes:
        raise BenchError(f"{name} is pinned already; --update takes all of its files anew")
    _write(source_path(name, registries), changes)
    return changes


def _contents(source: Source, folder: Path | None, update: bool) -> dict[str, Content]:
    """{path: content} of every file that is in the folder or has to be fetched."""
    at_hand = [file for file in source.files if folder is not None and (folder / file.path).is_file()]
    fetched = [file for file in source.files if file not in at_hand and (update or not file.pinned)]
    contents = {file.path: hash_file(folder / file.path) for file in at_hand if folder is not None}
    failures = []
    with (
        tempfile.TemporaryDirectory(prefix="bench-pin-") as temporary,
        shown(f"pin {source.name}", len(fetched)) as progress,
        ThreadPoolExecutor(JOBS) as pool,
    ):
        places = [Path(temporary) / str(number) for number in range(len(fetched))]
        for file, outcome in zip(fetched, pool.map(partial(_fetch, progress), fetched, places), strict=True):
            if isinstance(outcome, Content):
                contents[file.path] = outcome
            else:
                failures.append(f"{file.path}: {file.url}: {outcome}")
    if failures:
        needs = source.how_to_get or "the urls to answer from this machine"
        raise BenchError(
            f"{source.name} is not pinned; nothing was written\n  "
            + "\n  ".join(failures)
            + f"\nit needs: {needs}; or --from DIR, a folder that holds the files under these paths"
        )
    return contents


def _fetch(progress: Progress, file: File, place: Path) -> Content | TransferError:
    """The content of a file at its url, whatever the entry says of it. Its bytes are not kept."""
    unpinned = msgspec.structs.replace(file, sha256=None, bytes=None)
    try:
        content = receive(partial(stream, file.url), place, unpinned, RETRIES, progress)
    except TransferError as error:
        return error
    place.unlink()
    progress.done(1)
    return content


def _refuse_changes(source: Source, contents: dict[str, Content], update: bool) -> None:
    changed = [
        f"{file.path}: pinned sha256 {file.sha256}, found {contents[file.path].sha256}"
        for file in source.files
        if file.path in contents and file.sha256 not in (None, contents[file.path].sha256)
    ]
    if changed and not update:
        raise BenchError(
            f"{source.name} is pinned to other bytes; nothing was written\n  "
            + "\n  ".join(changed)
            + "\n--update pins what was found, and with it changes what every score on this source means"
        )


def _write(path: Path, changes: Sequence[Change]) -> None:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096
    entry = yaml.load(path)
    by_path = {change.path: change.content for change in changes}
    for file in entry["files"]:
        if content := by_path.get(file["path"]):
            file["sha256"] = content.sha256
            file["bytes"] = content.bytes
    # Read as YAML, a moment stays unquoted like those that people write.
    entry["retrieved_at"] = yaml.load(render(datetime.now(UTC)))
    text = io.BytesIO()
    yaml.dump(entry, text)
    with replacing(path) as out:
        out.write(text.getvalue())
