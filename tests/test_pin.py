"""`bench pin` and `bench sources`, through the command that people type."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback import Server, pinned, running, sha256, write_params, write_source
from typer.testing import CliRunner, Result

from bench.cli import app
from bench.fetch import receive
from bench.fetch.run import fetch
from bench.registry import load_source, source_names
from bench.suite import Suite

ENTRY = """\
# a source of our own
name: mine
dataset: mine
adapter: locomo
modality: conversation
title: "Mine"   # as its authors write it
url: https://example.org/
revision: '2024-05-01'
retrieved_at:
text: units
licence: {spdx: CC0-1.0, read_at: LICENSE, redistribute: true}
annotation_source:
  kind: human
  how: a long line that tells how the annotators worked, who they were, what they were paid, and where that stands
files:
# the questions
- path: a.json   # asked first
  url: "SERVER/a"
- path: b.json
  url: SERVER/b
  sha256:
  bytes:
"""


@pytest.fixture
def server() -> Iterator[Server]:
    with running() as started:
        yield started


@pytest.fixture
def entry(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An unpinned entry in a suite's own registry, whose files are served."""
    monkeypatch.setattr(receive, "FIRST_DELAY_SECONDS", 0.01)
    monkeypatch.delenv("BENCH_MIRROR", raising=False)
    server.serve("a", b"[1]")
    server.serve("b", b"[2, 3]")
    write_params(tmp_path, ["mine"])
    path = tmp_path / "sources" / "mine.yaml"
    path.parent.mkdir()
    path.write_text(ENTRY.replace("SERVER", server.url), "utf-8")
    return path


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def pin(entry: Path, *options: str) -> Result:
    return bench("pin", "mine", "--suite", str(entry.parent.parent), *options)


def hashes(entry: Path) -> list[tuple[str | None, int | None]]:
    return [(file.sha256, file.bytes) for file in load_source("mine", [entry.parent]).files]


PINNED = [(sha256(b"[1]"), 3), (sha256(b"[2, 3]"), 6)]


def test_pin_writes_hashes_and_keeps_all_else(entry: Path, server: Server) -> None:
    before = entry.read_text("utf-8")
    done = pin(entry)
    assert done.exit_code == 0
    assert done.stdout == f"mine/a.json: {PINNED[0][0]}, 3 bytes\nmine/b.json: {PINNED[1][0]}, 6 bytes\n"
    assert hashes(entry) == PINNED
    after = entry.read_text("utf-8")
    written = ("retrieved_at:", "sha256:", "bytes:")
    assert [line for line in after.splitlines() if not line.strip().startswith(written)] == [
        line for line in before.splitlines() if not line.strip().startswith(written)
    ]
    moment = load_source("mine", [entry.parent]).retrieved_at
    assert moment is not None
    assert f"\nretrieved_at: {moment}\n" in after
    assert moment.endswith("Z")
    assert fetch(Suite(entry.parent.parent)).url == 2


def test_pin_again_needs_update(entry: Path, server: Server) -> None:
    pin(entry)
    before = entry.read_bytes()
    server.serve("a", b"[9]")
    again = pin(entry)
    assert again.exit_code == 1
    assert "mine is pinned already" in again.stderr
    assert entry.read_bytes() == before
    updated = pin(entry, "--update")
    assert updated.exit_code == 0
    assert f"mine/a.json: {sha256(b'[9]')}, 3 bytes, before {PINNED[0][0]}\n" in updated.stdout
    assert hashes(entry) == [(sha256(b"[9]"), 3), PINNED[1]]


def test_pin_a_new_file_leaves_the_others_alone(entry: Path, server: Server) -> None:
    pin(entry)
    with entry.open("a", encoding="utf-8") as file:
        file.write(f"- path: c.json\n  url: {server.url}/c\n")
    server.serve("c", b"[4]")
    assert pin(entry).exit_code == 0
    assert hashes(entry) == [*PINNED, (sha256(b"[4]"), 3)]
    assert server.asked("a") == [0]


def test_pin_from_a_folder(entry: Path, server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "downloads"
    folder.mkdir()
    (folder / "a.json").write_bytes(b"[1]")
    assert pin(entry, "--from", str(folder)).exit_code == 0
    assert hashes(entry) == PINNED
    assert {request.path for request in server.requests} == {"b"}


def test_pin_refuses_a_folder_with_other_bytes(entry: Path, tmp_path: Path) -> None:
    pin(entry)
    before = entry.read_bytes()
    folder = tmp_path / "downloads"
    folder.mkdir()
    (folder / "a.json").write_bytes(b"[9]")
    done = pin(entry, "--from", str(folder))
    assert done.exit_code == 1
    assert f"a.json: pinned sha256 {PINNED[0][0]}, found {sha256(b'[9]')}" in done.stderr
    assert "--update" in done.stderr
    assert entry.read_bytes() == before


def test_pin_that_cannot_reach_a_file_says_what_it_needs(entry: Path, server: Server) -> None:
    del server.files["b"]
    before = entry.read_bytes()
    done = pin(entry)
    assert done.exit_code == 1
    for part in (f"b.json: {server.url}/b: not found", "nothing was written", "--from DIR"):
        assert part in done.stderr
    assert entry.read_bytes() == before
    entry.write_text(entry.read_text("utf-8") + "how_to_get: ask the authors\n", "utf-8")
    assert "it needs: ask the authors" in pin(entry).stderr


def test_pin_tries_a_broken_transfer_again(entry: Path, server: Server) -> None:
    server.serve("a", b"[1]", failures=[500], cuts=[1])
    assert pin(entry).exit_code == 0
    assert hashes(entry) == PINNED


def test_pin_of_an_unknown_source_or_folder(entry: Path) -> None:
    unknown = bench("pin", "nothing")
    assert unknown.exit_code == 1
    assert "source 'nothing' has no bench/sources/nothing.yaml; the registry holds:" in unknown.stderr
    assert "no/such is no folder" in pin(entry, "--from", "no/such").stderr


def test_sources_lists_the_registry() -> None:
    done = bench("sources")
    assert done.exit_code == 0
    header, *lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == ["name", "modality", "files", "bytes", "licence", "redistribute", "annotation", "pinned"]
    assert [line[0] for line in lines] == source_names()
    assert ["locomo", "conversation", "4", "5780005", "CC-BY-NC-4.0", "no", "human", "yes"] in lines


def test_sources_of_a_suite_as_json(tmp_path: Path) -> None:
    write_params(tmp_path, ["two", "one"])
    write_source(tmp_path, "one", [{"path": "a", "url": "https://example.org/a"}])
    write_source(tmp_path, "two", [pinned("a", "https://example.org/a", b"abc")])
    done = bench("sources", "--suite", str(tmp_path), "--json")
    two, one = json.loads(done.stdout)
    assert (two["name"], two["files"], two["bytes"], two["pinned"]) == ("two", 1, 3, True)
    assert (one["name"], one["bytes"], one["pinned"]) == ("one", None, False)


def test_help_names_the_commands() -> None:
    done = bench("--help")
    assert done.exit_code == 0
    assert "sources" in done.stdout
    assert "pin" in done.stdout
