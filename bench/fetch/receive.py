"""A file that grows piece by piece until it is whole and right: resumed, tried again, and checked by its sha256."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.fetch.progress import Progress
from bench.fetch.transport import Piece, TransferError
from bench.hashing import Content, hash_file
from bench.registry import File

FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30.0

Read = Callable[[int], Iterator[Piece]]
"""The pieces of a file from an offset on, as `bench.fetch.transport.stream` gives them."""


def receive(read: Read, partial: Path, file: File, retries: int, progress: Progress) -> Content:
    """Let `partial` become the whole file, from where it stopped, and return its content.

    A broken transfer is tried again up to `retries` times, after a pause that doubles. TransferError where that is not
    enough, or where the bytes are not those of `file`; a file without a sha256 may be any. Wrong bytes are removed.
    """
    delay = FIRST_DELAY_SECONDS
    while True:
        held = partial.stat().st_size if partial.exists() else 0
        try:
            _append(read, partial, file.bytes, progress)
            return _checked(partial, file, resumed=held > 0)
        except TransferError as error:
            if not error.again or not retries:
                raise
        if progress.stop.wait(delay):
            raise TransferError("interrupted")
        delay = min(2 * delay, LONGEST_DELAY_SECONDS)
        retries -= 1


def _append(read: Read, partial: Path, size: int | None, progress: Progress) -> None:
    with partial.open("ab") as out:
        held = out.tell()
        if size is not None and held >= size:
            return
        for position, block in read(held):
            if position != held:
                out.truncate(position)
            out.write(block)
            held = position + len(block)
            progress.received(len(block))
            if progress.stop.is_set():
                raise TransferError("interrupted")
            if size is not None and held > size:
                break
        out.flush()
        os.fsync(out.fileno())


def _checked(partial: Path, file: File, *, resumed: bool) -> Content:
    found = hash_file(partial)
    if file.sha256 in (None, found.sha256):
        return found
    if file.bytes is not None and found.bytes < file.bytes:
        raise TransferError(f"ended after {found.bytes} of {file.bytes} bytes", again=True)
    partial.unlink()
    # What was held before may come from another place, so the whole file is asked for once more.
    raise TransferError(f"expected sha256 {file.sha256}, found {found.sha256} in {found.bytes} bytes", again=resumed)
