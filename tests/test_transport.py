"""Bytes from every kind of url, from the beginning and from the middle."""

import asyncio
import os
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from loopback import Server, running
from yarl import URL

from bench.errors import BenchError
from bench.fetch import transport
from bench.fetch.transport import NotThereError, TransferError, _refuse_downgrade, absolute, filesystem, stream

DATA = bytes(range(256)) * 4_000


@pytest.fixture
def server() -> Iterator[Server]:
    with running() as started:
        yield started


def content(url: str, offset: int = 0) -> tuple[int, bytes]:
    """(position of the first piece, all bytes from there on); positions must be without gaps."""
    pieces = list(stream(url, offset))
    for (position, block), (following, _) in pairwise(pieces):
        assert position + len(block) == following
    return (pieces[0][0] if pieces else offset), b"".join(block for _, block in pieces)


def test_http_from_the_beginning_is_one_request(server: Server) -> None:
    assert content(server.serve("a", DATA)) == (0, DATA)
    assert server.asked("a") == [0]


def test_http_from_the_middle(server: Server) -> None:
    assert content(server.serve("a", DATA), 1_000) == (1_000, DATA[1_000:])


def test_http_server_without_ranges_begins_at_0(server: Server) -> None:
    assert content(server.serve("a", DATA, ranges=False), 1_000) == (0, DATA)


def test_http_offset_past_the_end_begins_at_0(server: Server) -> None:
    assert content(server.serve("a", DATA), len(DATA) + 5) == (0, DATA)


def test_http_file_that_is_empty(server: Server) -> None:
    assert content(server.serve("a", b"")) == (0, b"")


@pytest.mark.parametrize(("status", "again"), [(500, True), (503, True), (429, True), (403, False), (401, False)])
def test_http_status_says_whether_to_try_again(server: Server, status: int, again: bool) -> None:
    url = server.serve("a", DATA, failures=[status])
    with pytest.raises(TransferError, match=str(status)) as caught:
        content(url)
    assert caught.value.again is again


def test_http_file_that_is_not_there(server: Server) -> None:
    with pytest.raises(NotThereError):
        content(f"{server.url}/nothing")


def test_http_body_that_is_cut_off_is_worth_another_attempt(server: Server) -> None:
    url = server.serve("a", DATA, cuts=[100_000])
    with pytest.raises(TransferError) as caught:
        content(url)
    assert caught.value.again


def test_http_server_that_does_not_answer(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "READ_SECONDS", 0.2)
    url = server.serve("a", DATA, pause=2.0)
    with pytest.raises(TransferError, match="imeout") as caught:
        content(url)
    assert caught.value.again


def test_nobody_listens(server: Server) -> None:
    with pytest.raises(TransferError) as caught:
        content("http://127.0.0.1:9/a")
    assert caught.value.again


def test_http_redirect_is_followed_to_http_only(server: Server, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"no")
    server.serve("a", DATA)
    server.redirects = {"moved": "/a", "file": f"file://{tmp_path}/secret", "round": "/round"}
    assert content(f"{server.url}/moved") == (0, DATA)
    for path in ("file", "round"):
        with pytest.raises(TransferError):
            content(f"{server.url}/{path}")


def test_https_is_not_left_for_http() -> None:
    def redirect(target: str) -> None:
        response = SimpleNamespace(headers={"Location": target})
        asyncio.run(_refuse_downgrade(None, None, SimpleNamespace(url=URL("https://example.org/a"), response=response)))

    redirect("https://example.org/b")
    redirect("/b")
    with pytest.raises(TransferError, match=r"from https to http://example\.org/b"):
        redirect("http://example.org/b")


def test_equal_urls_share_a_file_system(server: Server) -> None:
    assert filesystem(f"{server.url}/a")[0] is filesystem(f"{server.url}/b")[0]


def test_file_from_the_beginning_and_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "with blank, # and ü.bin"
    path.write_bytes(DATA)
    assert content(f"file://{path}") == (0, DATA)
    assert content(f"file://{path}", 1_000) == (1_000, DATA[1_000:])
    with pytest.raises(NotThereError):
        content(f"file://{tmp_path}/nothing")
    with pytest.raises(NotThereError):
        content(f"file://{tmp_path}")


def test_relative_file_url_is_of_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert content("file:pyproject.toml")[1] == (transport.ROOT / "pyproject.toml").read_bytes()
    assert absolute("file:///a/b") == "file:///a/b"
    assert absolute("s3://a/b") == "s3://a/b"


@pytest.mark.parametrize(
    ("url", "protocol", "path"),
    [
        ("s3://bucket/folder/file.json", "s3", "bucket/folder/file.json"),
        ("https://example.org/a/b.json", "https", "https://example.org/a/b.json"),
        ("hf://datasets/owner/name@main/a.parquet", "hf", "datasets/owner/name@main/a.parquet"),
        ("file:///a/b", "file", "/a/b"),
    ],
)
def test_every_protocol_has_its_file_system(url: str, protocol: str, path: str) -> None:
    files, inner = filesystem(url)
    assert protocol in files.protocol
    assert inner == path


def test_s3_has_timeouts() -> None:
    files, _ = filesystem("s3://bucket/file")
    assert files.config_kwargs == {"connect_timeout": 30, "read_timeout": 60}


def test_unknown_protocol_is_an_error() -> None:
    with pytest.raises(BenchError, match="use https, s3, hf or file"):
        filesystem("gopher://example.org/a")


def wheel(folder: Path, name: str, tag: str) -> bytes:
    """A wheel as small as pip accepts, whose setup would leave a mark if anybody ran it."""
    path = folder / f"{name}-1.0-{tag}.whl"
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", "def answer():\n    return 42\n")
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nRequires-Python: >=3.99\n"
        )
        archive.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
        archive.writestr(f"{info}/RECORD", "")
    return path.read_bytes()


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes for its only index."""
    for name in list(os.environ):
        if name.startswith("PIP_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return tmp_path


def test_wheel_by_pip_whatever_python_it_is_meant_for(wheels: Path) -> None:
    data = wheel(wheels, "tinywheel", "py3-none-any")
    assert content("pypi:tinywheel==1.0") == (0, data)


def test_wheel_for_one_platform_or_none_at_all(wheels: Path) -> None:
    wheel(wheels, "tinyplatform", "cp311-cp311-manylinux_2_17_x86_64")
    for name in ("tinyplatform", "nothinghere"):
        with pytest.raises(TransferError, match=f"pip: No matching distribution found for {name}==1.0"):
            content(f"pypi:{name}==1.0")


def test_source_distribution_is_never_built(wheels: Path, tmp_path: Path) -> None:
    mark = tmp_path / "was-run"
    with zipfile.ZipFile(wheels / "tinysource-1.0.zip", "w") as archive:
        archive.writestr("tinysource-1.0/setup.py", f"open({str(mark)!r}, 'w')")
    with pytest.raises(TransferError, match="No matching distribution"):
        content("pypi:tinysource==1.0")
    assert not mark.exists()


@pytest.mark.parametrize(
    "written", ["tiny", "tiny>=1", "--no-index=x==1", "a b==1", "tiny==1 --pre", "tiny==", "./x==1"]
)
def test_wheel_url_must_name_one_version(written: str) -> None:
    with pytest.raises(TransferError, match="is not pypi:NAME==VERSION"):
        content(f"pypi:{written}")
