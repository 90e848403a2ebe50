"""Bytes from a URL: https, s3, hf and file through fsspec, and pure-Python wheels through pip.

`stream` yields a file in pieces and can begin in the middle, so that a broken transfer goes on where it stopped. It
decides nothing about the content: the caller compares sha256. Credentials, endpoints and proxies come from the
environment, as fsspec's back ends read them (AWS_ENDPOINT_URL, FSSPEC_S3_ANON, HF_TOKEN, HTTPS_PROXY, PIP_INDEX_URL).
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn

from bench.errors import BenchError
from bench.root import ROOT

CHUNK = 1 << 18
CONNECT_SECONDS = 30
READ_SECONDS = 60
PIP_SECONDS = 900
_REQUIREMENT = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?==[A-Za-z0-9][A-Za-z0-9.!+_-]*", re.ASCII)

Piece = tuple[int, bytes]
"""(position of its first byte in the file, bytes)"""


class TransferError(Exception):
    """A place did not give the file. `again`: another attempt may succeed."""

    def __init__(self, message: str, *, again: bool = False) -> None:
        super().__init__(message)
        self.again = again


class NotThereError(TransferError):
    """The place answers, and has no such file."""


def stream(url: str, offset: int = 0) -> Iterator[Piece]:
    """The bytes at `url` from `offset` on, in order. Raises TransferError.

    The first piece begins at `offset`, or at 0 where the place cannot begin in the middle.
    """
    scheme = url.partition(":")[0]
    if scheme == "pypi":
        return _wheel(url)
    if scheme in ("http", "https"):
        return _http(url, offset)
    return _seekable(absolute(url), offset)


def absolute(url: str) -> str:
    """`url`, with a `file:` address that is relative to the repository made absolute."""
    path = url.removeprefix("file:")
    if path == url or path.startswith("/"):
        return url
    return f"file://{(ROOT / path).as_posix()}"


def filesystem(url: str) -> tuple[Any, str]:
    """fsspec's file system for `url`, with timeouts, and the path of `url` in it. BenchError where there is none."""
    import fsspec

    scheme = url.partition("://")[0] if "://" in url else "file"
    try:
        return fsspec.url_to_fs(url, **_options(scheme))  # type: ignore[no-any-return]
    except (ValueError, ImportError) as error:
        raise BenchError(f"{url}: {error}; use https, s3, hf or file") from None


def _options(scheme: str) -> dict[str, Any]:
    if scheme in ("http", "https"):
        return _http_options(CONNECT_SECONDS, READ_SECONDS)
    if scheme == "s3":
        return {"config_kwargs": {"connect_timeout": CONNECT_SECONDS, "read_timeout": READ_SECONDS}}
    return {}


@cache
def _http_options(connect: float, read: float) -> dict[str, Any]:
    """Equal options are one object, so that fsspec keeps one file system, and with it open connections."""
    import aiohttp

    redirects = aiohttp.TraceConfig()
    redirects.on_request_redirect.append(_refuse_downgrade)
    # aiohttp's own limit, five minutes for the whole answer, would end every large file.
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=connect, sock_read=read)
    return {"client_kwargs": {"timeout": timeout, "trust_env": True, "trace_configs": [redirects]}}


async def _refuse_downgrade(session: Any, context: Any, params: Any) -> None:
    """aiohttp follows http and https alone; from https it must not fall back to http."""
    target = params.response.headers.get("Location", "")
    if params.url.scheme == "https" and target.lower().startswith("http:"):
        raise TransferError(f"redirects from https to {target}, which is not followed")


def _http(url: str, offset: int) -> Iterator[Piece]:
    # A compressed transfer could not be resumed by position.
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={offset}-"} if offset else {})
    files, path = filesystem(url)
    try:
        # block_size=0 streams the answer to one request. Without a size, which it then ignores, fsspec would ask first.
        with files.open(path, "rb", block_size=0, size=1, headers=headers) as file:
            resumed = file.r.status == 206
            yield from _pieces(file, offset if resumed else 0)
    except Exception as error:
        if getattr(error, "status", None) != 416:
            _raise_transfer_error(error)
    else:
        return
    # 416: nothing lies at `offset`, so what is held already is not the beginning of this file.
    yield from _http(url, 0)


def _seekable(url: str, offset: int) -> Iterator[Piece]:
    files, path = filesystem(url)
    try:
        with files.open(path, "rb") as file:
            if offset:
                file.seek(offset)
            yield from _pieces(file, offset)
    except Exception as error:
        _raise_transfer_error(error)


def _pieces(file: IO[bytes], position: int) -> Iterator[Piece]:
    while block := file.read(CHUNK):
        yield position, block
        position += len(block)


def _raise_transfer_error(error: Exception) -> NoReturn:
    """Every back end of fsspec raises types of its own; what matters is whether another attempt may help."""
    if isinstance(error, TransferError):
        raise error
    if isinstance(error, FileNotFoundError | IsADirectoryError):
        raise NotThereError("not found") from None
    status = getattr(error, "status", None)
    if isinstance(status, int) and status:
        if status in (404, 410):
            raise NotThereError(f"HTTP {status}") from None
        raise TransferError(f"HTTP {status}", again=status >= 500 or status in (408, 429)) from None
    refused = isinstance(error, PermissionError) or type(error).__name__ == "NoCredentialsError"
    raise TransferError(f"{type(error).__name__}: {error}".rstrip(": "), again=not refused) from None


def _wheel(url: str) -> Iterator[Piece]:
    """The wheel of `pypi:NAME==VERSION` that runs on any platform, as pip fetches it: never built, never run."""
    requirement = url.removeprefix("pypi:")
    if not _REQUIREMENT.fullmatch(requirement):
        raise TransferError(f"{url} is not pypi:NAME==VERSION")
    with tempfile.TemporaryDirectory(prefix="bench-wheel-") as folder:
        _download_wheel(requirement, folder)
        wheels = list(Path(folder).glob("*.whl"))
        if len(wheels) != 1:
            raise TransferError(f"pip brought {len(wheels)} wheels for {requirement}, where one is expected")
        with wheels[0].open("rb") as file:
            yield from _pieces(file, 0)


def _download_wheel(requirement: str, folder: str) -> None:
    options = "--no-deps --only-binary=:all: --no-build-isolation --implementation=py --abi=none --platform=any"
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-input", "--quiet"]
    # The wheel is read, not installed, so the Python that it is meant for does not matter.
    command += [*options.split(), "--ignore-requires-python", "--dest", folder, requirement]
    try:
        done = subprocess.run(  # noqa: S603  no shell, and the requirement was matched above
            command, capture_output=True, text=True, errors="replace", timeout=PIP_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise TransferError(f"pip needed more than {PIP_SECONDS} s", again=True) from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or done.stderr.splitlines()
        raise TransferError("pip: " + (lines[-1].removeprefix("ERROR: ") if lines else f"exit {done.returncode}"))
