"""A mirror: a folder or a URL that holds the sources' files, each at `<source>/<path>` or within `<source>.zip`."""

import threading
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bench.errors import BenchError
from bench.fetch.transport import CHUNK, NotThereError, Piece, TransferError, filesystem, stream
from bench.root import ROOT


class Mirror:
    """The mirror at `root`, as a person named it: a URL of fsspec, or a folder.

    A relative folder is looked for in the current directory, then in the repository, since DVC runs stages in the
    directory of their dvc.yaml.
    """

    def __init__(self, root: str) -> None:
        self.root = root.rstrip("/") if "://" in root else f"file://{_folder(root).as_posix()}"
        self._lock = threading.Lock()
        self._archives: dict[str, zipfile.ZipFile | None] = {}

    def url(self, key: str) -> str:
        """Where the file with `key`, `<source>/<path>`, stands outside of archives."""
        return f"{self.root}/{quote(key) if self.root.startswith('http') else key}"

    def stream(self, key: str, offset: int = 0) -> Iterator[Piece]:
        """The bytes of the file with `key`, as transport.stream gives them. NotThereError where it has none."""
        try:
            yield from stream(self.url(key), offset)
        except NotThereError:
            yield from self._member(key)

    def _member(self, key: str) -> Iterator[Piece]:
        """From the beginning: a packed member cannot be entered in the middle."""
        source, _, path = key.partition("/")
        archive = self._archive(source)
        if archive is None or path not in archive.NameToInfo:
            raise NotThereError("not found")
        try:
            with archive.open(path) as file:
                position = 0
                while block := file.read(CHUNK):
                    yield position, block
                    position += len(block)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise TransferError(f"{source}.zip: {error}") from None

    def _archive(self, source: str) -> zipfile.ZipFile | None:
        """The open `<source>.zip`, shared by all threads; None where the mirror has none."""
        with self._lock:
            if source not in self._archives:
                self._archives[source] = self._open(f"{self.root}/{source}.zip")
            return self._archives[source]

    def _open(self, url: str) -> zipfile.ZipFile | None:
        files, path = filesystem(url)
        try:
            if not files.isfile(path):
                return None
            file: Any = files.open(path, "rb")
            return zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError) as error:
            raise TransferError(f"{url} is no readable zip archive: {error}") from None


def _folder(name: str) -> Path:
    for base in (Path.cwd(), ROOT):
        folder = base / Path(name).expanduser()
        if folder.is_dir():
            return folder.resolve()
    raise BenchError(f"the mirror {name} is no folder here or in the repository, and no URL such as https:// or s3://")
