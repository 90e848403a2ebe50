"""The fetch stage against servers and mirrors that fail in every way that was seen, and killed at any moment."""

import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback import Server, pinned, running, sha256, write_params, write_source

from bench.errors import BenchError
from bench.fetch import receive
from bench.fetch.run import Summary, fetch
from bench.registry import load_source
from bench.root import ROOT
from bench.suite import Suite

STAGE = ROOT / "stages" / "fetch.py"


def data(number: int, size: int = 200_000) -> bytes:
    return bytes((number + position) % 251 for position in range(size))


@pytest.fixture
def server() -> Iterator[Server]:
    with running() as started:
        yield started


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory for a suite; no mirror in the environment, and short pauses between attempts."""
    monkeypatch.delenv("BENCH_MIRROR", raising=False)
    monkeypatch.setattr(receive, "FIRST_DELAY_SECONDS", 0.01)
    directory = tmp_path / "suite"
    write_params(directory, ["one"])
    return directory


def raw(suite: Path) -> dict[str, bytes]:
    """Every file under raw/, hidden ones too."""
    folder = suite / "raw"
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_get_their_places_and_are_not_fetched_again(server: Server, suite: Path) -> None:
    files = [pinned(path, server.serve(path, data(n)), data(n)) for n, path in enumerate(["a.json", "deep/er/b.json"])]
    write_source(suite, "one", files)
    assert fetch(Suite(suite)) == Summary(sources=1, at_hand=0, mirror=0, url=2, bytes=400_000)
    assert raw(suite) == {"one/a.json": data(0), "one/deep/er/b.json": data(1)}
    assert fetch(Suite(suite)) == Summary(sources=1, at_hand=2, mirror=0, url=0, bytes=400_000)
    assert len(server.requests) == 2
    assert not (suite / ".fetch").exists()


def test_file_that_was_changed_is_fetched_again(server: Server, suite: Path) -> None:
    write_source(suite, "one", [pinned("a", server.serve("a", data(0)), data(0))])
    fetch(Suite(suite))
    (suite / "raw/one/a").write_bytes(data(1))
    assert fetch(Suite(suite)).url == 1
    assert raw(suite) == {"one/a": data(0)}


def test_equal_content_is_fetched_once_for_all_sources(server: Server, suite: Path) -> None:
    write_params(suite, ["one", "two"])
    url = server.serve("licence", data(0))
    for name in ("one", "two"):
        write_source(suite, name, [pinned("licence", url, data(0)), pinned("again", f"{server.url}/gone", data(0))])
    fetch(Suite(suite))
    assert len(raw(suite)) == 4
    assert server.asked("licence") == [0]


def test_empty_file(server: Server, suite: Path) -> None:
    write_source(suite, "one", [pinned("a", server.serve("a", b""), b"")])
    fetch(Suite(suite))
    assert raw(suite) == {"one/a": b""}


def test_wrong_file_is_named_with_everything_a_person_needs(server: Server, suite: Path) -> None:
    url = server.serve("a", data(1))
    write_source(suite, "one", [pinned("a.json", url, data(0))])
    with pytest.raises(BenchError) as caught:
        fetch(Suite(suite))
    for part in ("one/a.json", url, sha256(data(0)), sha256(data(1)), "BENCH_MIRROR", "dvc pull"):
        assert part in str(caught.value)
    assert not (suite / "raw").exists()
    assert server.asked("a") == [0], "a server that answers with other bytes is not asked again"


def test_file_that_does_not_end_is_cut_off(server: Server, suite: Path) -> None:
    write_source(suite, "one", [pinned("a", server.serve("a", data(0, 5_000_000), pause=0.002), data(0))])
    with pytest.raises(BenchError, match="expected sha256"):
        fetch(Suite(suite))
    assert server.sent < 2_500_000


def test_one_failing_source_does_not_lose_the_others(server: Server, suite: Path) -> None:
    write_params(suite, ["one", "two", "three"])
    write_source(
        suite, "one", [pinned("a", f"{server.url}/gone", data(0)), pinned("b", server.serve("b", data(1)), data(1))]
    )
    write_source(suite, "two", [pinned("c", server.serve("c", data(9)), data(2))])
    write_source(suite, "three", [pinned("d", server.serve("d", data(3)), data(3))])
    with pytest.raises(BenchError, match=r"2 of 4 files are missing\n  one/a: .*not found\n  two/c: .*expected sha256"):
        fetch(Suite(suite))
    assert raw(suite) == {"one/b": data(1), "three/d": data(3)}
    server.serve("gone", data(0))
    server.serve("c", data(2))
    fetch(Suite(suite))
    assert len(raw(suite)) == 4
    assert server.asked("b") == server.asked("d") == [0]


def test_server_that_recovers(server: Server, suite: Path) -> None:
    write_source(suite, "one", [pinned("a", server.serve("a", data(0), failures=[500, 503]), data(0))])
    fetch(Suite(suite))
    assert server.asked("a") == [0, 0, 0]


def test_server_that_does_not_recover_in_time(server: Server, suite: Path) -> None:
    write_source(suite, "one", [pinned("a", server.serve("a", data(0), failures=[500] * 9), data(0))])
    with pytest.raises(BenchError, match=r"one/a: url http.*/a: HTTP 500"):
        fetch(Suite(suite))
    assert len(server.asked("a")) == 3, "retries: 2 is three attempts"


@pytest.mark.parametrize("says_length", [True, False])
def test_broken_transfer_goes_on_where_it_stopped(server: Server, suite: Path, says_length: bool) -> None:
    url = server.serve("a", data(0), cuts=[50_000, 60_000], says_length=says_length)
    write_source(suite, "one", [pinned("a", url, data(0))])
    fetch(Suite(suite))
    first, second, third = server.asked("a")
    assert first == 0 < second <= 50_000 < third <= 110_000
    assert raw(suite) == {"one/a": data(0)}


def test_broken_transfer_from_a_server_without_ranges_begins_again(server: Server, suite: Path) -> None:
    write_source(suite, "one", [pinned("a", server.serve("a", data(0), cuts=[50_000], ranges=False), data(0))])
    fetch(Suite(suite))
    assert server.asked("a") == [0, 0]
    assert raw(suite) == {"one/a": data(0)}


def test_partial_of_another_place_is_given_up(server: Server, suite: Path) -> None:
    write_source(suite, "one", [pinned("a", server.serve("a", data(0)), data(0))])
    (suite / ".fetch").mkdir()
    (suite / ".fetch" / f"{sha256(data(0))}.partial").write_bytes(data(1)[:70_000])
    fetch(Suite(suite))
    assert server.asked("a") == [70_000, 0]
    assert raw(suite) == {"one/a": data(0)}


def test_stored_file_that_rotted_is_fetched_again(server: Server, suite: Path) -> None:
    write_source(suite, "one", [pinned("a", server.serve("a", data(0)), data(0))])
    (suite / ".fetch").mkdir()
    (suite / ".fetch" / sha256(data(0))).write_bytes(data(1))
    fetch(Suite(suite))
    assert raw(suite) == {"one/a": data(0)}


def test_folder_in_the_place_of_a_file_is_told(server: Server, suite: Path) -> None:
    write_source(suite, "one", [pinned("a", server.serve("a", data(0)), data(0))])
    (suite / "raw/one/a").mkdir(parents=True)
    with pytest.raises(BenchError, match=r"one/a: .*directory"):
        fetch(Suite(suite))


def test_unpinned_source_says_what_pin_needs(suite: Path) -> None:
    write_source(suite, "one", [{"path": "a", "url": "https://example.org/a"}], how_to_get="ask the authors")
    with pytest.raises(BenchError, match=r"one: a \(ask the authors\)\n`bench pin SOURCE`"):
        fetch(Suite(suite))


@pytest.mark.parametrize(
    "settings", [{"jobs": 0}, {"jobs": "two"}, {"retries": -1}, {"retries": 0.5}, {"mirror": 7}, {"speed": 1}]
)
def test_wrong_settings(suite: Path, settings: dict[str, object]) -> None:
    write_params(suite, ["one"], **settings)
    write_source(suite, "one", [pinned("a", "https://example.org/a", b"")])
    with pytest.raises(BenchError, match=rf"params.yaml: \$\.fetch.*{next(iter(settings))}"):
        fetch(Suite(suite))


# Mirrors


def put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def test_mirror_folder_comes_first(
    server: Server, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "mirror/one/deep/a ü#.json", data(0))
    put(tmp_path / "mirror/elsewhere/b.json", data(1))
    files = [
        pinned("deep/a ü#.json", server.serve("a", data(0)), data(0)),
        pinned("b.json", server.serve("b", data(1)), data(1), mirror="elsewhere/b.json"),
        pinned("c.json", server.serve("c", data(2)), data(2)),
    ]
    write_source(suite, "one", files)
    monkeypatch.setenv("BENCH_MIRROR", str(tmp_path / "mirror"))
    assert fetch(Suite(suite)) == Summary(sources=1, at_hand=0, mirror=2, url=1, bytes=600_000)
    assert {request.path for request in server.requests} == {"c"}
    assert len(raw(suite)) == 3


def test_mirror_of_params_and_the_environment_wins(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "mirror/one/a", data(0))
    write_source(suite, "one", [pinned("a", "file:nothing/here", data(0))])
    write_params(suite, ["one"], mirror=str(tmp_path / "mirror"))
    assert fetch(Suite(suite)).mirror == 1
    shutil.rmtree(suite / "raw")
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("BENCH_MIRROR", str(tmp_path / "empty"))
    with pytest.raises(BenchError, match=r"one/a: mirror file://.*/empty/one/a: not found; url file:nothing/here: not"):
        fetch(Suite(suite))


def test_mirror_by_a_relative_folder(suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "mirror/one/a", data(0))
    write_source(suite, "one", [pinned("a", "file:nothing/here", data(0))])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BENCH_MIRROR", "mirror")
    assert fetch(Suite(suite)).mirror == 1


def test_mirror_that_is_not_there_is_an_error(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_source(suite, "one", [pinned("a", "file:nothing/here", data(0))])
    monkeypatch.setenv("BENCH_MIRROR", "no/such/folder")
    with pytest.raises(BenchError, match="mirror no/such/folder is no folder"):
        fetch(Suite(suite))


@pytest.mark.parametrize("remote", [False, True])
def test_mirror_zip(server: Server, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remote: bool) -> None:
    path = tmp_path / "mirror" / "one.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"deep/{number}", data(number))
    files = [pinned(f"deep/{number}", server.serve(f"url{number}", data(number)), data(number)) for number in range(5)]
    write_source(suite, "one", files)
    server.serve("mirror/one.zip", path.read_bytes())
    monkeypatch.setenv("BENCH_MIRROR", f"{server.url}/mirror" if remote else str(path.parent))
    done = fetch(Suite(suite))
    assert (done.mirror, done.url) == (4, 1)
    assert raw(suite) == {f"one/deep/{number}": data(number) for number in range(5)}


def test_mirror_zip_after_a_partial_begins_again(suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mirror").mkdir()
    with zipfile.ZipFile(tmp_path / "mirror" / "one.zip", "w") as archive:
        archive.writestr("a", data(0))
    write_source(suite, "one", [pinned("a", "file:nothing/here", data(0))])
    put(suite / ".fetch" / f"{sha256(data(0))}.partial", data(0)[:70_000])
    monkeypatch.setenv("BENCH_MIRROR", str(tmp_path / "mirror"))
    assert fetch(Suite(suite)).mirror == 1
    assert raw(suite) == {"one/a": data(0)}


def test_mirror_zip_that_is_broken_falls_through(
    server: Server, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path / "mirror/one.zip", b"PK no zip")
    write_source(suite, "one", [pinned("a", server.serve("a", data(0)), data(0))])
    monkeypatch.setenv("BENCH_MIRROR", str(tmp_path / "mirror"))
    assert fetch(Suite(suite)).url == 1
    assert "one.zip is no readable zip archive" in capsys.readouterr().err


def test_mirror_that_serves_a_wrong_file_falls_through_and_says_so(
    server: Server, suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path / "mirror/one/a", data(1))
    write_source(suite, "one", [pinned("a", server.serve("a", data(0)), data(0))])
    monkeypatch.setenv("BENCH_MIRROR", str(tmp_path / "mirror"))
    assert fetch(Suite(suite)) == Summary(sources=1, at_hand=0, mirror=0, url=1, bytes=200_000)
    assert raw(suite) == {"one/a": data(0)}
    said = capsys.readouterr().err
    for part in ("one/a", "mirror file://", sha256(data(0)), sha256(data(1)), "taken from the url"):
        assert part in said


def test_mirror_whose_transfer_breaks_is_resumed(server: Server, suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server.serve("mirror/one/a%20b%23c", data(0), cuts=[50_000])
    write_source(suite, "one", [pinned("a b#c", "file:nothing/here", data(0))])
    monkeypatch.setenv("BENCH_MIRROR", f"{server.url}/mirror/")
    assert fetch(Suite(suite)).mirror == 1
    first, second = server.asked("mirror/one/a%20b%23c")
    assert first == 0 < second <= 50_000


def test_real_source_from_the_real_mirror(suite: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_params(suite, ["locomo", "cosqa"])
    monkeypatch.setenv("BENCH_MIRROR", str(mirror))
    done = fetch(Suite(suite))
    assert (done.sources, done.mirror, done.url) == (2, 11, 0)
    assert sha256(raw(suite)["locomo/locomo10.json"]) == load_source("locomo").files[0].sha256


# The process


def run_stage(suite: Path, python: str = sys.executable, *options: str) -> "subprocess.Popen[str]":
    environment = {name: value for name, value in os.environ.items() if name != "BENCH_MIRROR"}
    command = [python, *options, str(STAGE), "--suite", str(suite)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=suite.parent, env=environment
    )


COUNT = 6
SIZE = 200_000


@pytest.mark.parametrize("moment", [0, 1, 150_000, 500_000, 900_000, COUNT * SIZE])
def test_killed_at_any_moment_the_next_run_goes_on(server: Server, suite: Path, moment: int) -> None:
    contents = {f"{number}.bin": data(number, SIZE) for number in range(COUNT)}
    files = [pinned(path, server.serve(path, content, pause=0.01), content) for path, content in contents.items()]
    write_source(suite, "one", files)
    process = run_stage(suite)
    deadline = time.monotonic() + 30
    while server.sent < moment and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.communicate()

    for name, content in raw(suite).items() if (suite / "raw").exists() else ():
        assert content == contents[name.removeprefix("one/")], "a half file has its final name"
    shutil.rmtree(suite / "raw", ignore_errors=True)  # as DVC does before it runs the stage again
    kept = {path.name: path.stat().st_size for path in (suite / ".fetch").glob("*")} if process.returncode else {}
    sent_before = len(server.requests)
    for served in server.files.values():
        served.pause = 0

    fetch(Suite(suite))
    assert raw(suite) == {f"one/{path}": content for path, content in contents.items()}
    second = server.requests[sent_before:]
    for request in second:
        digest = sha256(contents[request.path])
        assert digest not in kept, "a whole file is fetched again"
        assert request.start == kept.get(f"{digest}.partial", 0), "a partial is not resumed"
    if 150_000 <= moment < COUNT * SIZE:
        assert sum(request.sent for request in second) <= COUNT * SIZE - moment + 2 * 65_536
    assert not (suite / ".fetch").exists()


def test_second_run_beside_a_first_waits_for_it(
    server: Server, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contents = {f"{number}.bin": data(number, SIZE) for number in range(COUNT)}
    files = [pinned(path, server.serve(path, content, pause=0.02), content) for path, content in contents.items()]
    write_source(suite, "one", files)
    first = run_stage(suite)
    while not server.sent:
        assert first.poll() is None
        time.sleep(0.002)
    assert fetch(Suite(suite)).at_hand == COUNT
    assert "another fetch of this suite is running" in capsys.readouterr().err
    out, _ = first.communicate()
    assert first.returncode == 0
    assert out == "fetch: 1 sources, 6 files, 1.2 MB: 0 at hand, 0 from the mirror, 6 from their url\n"
    assert len(server.requests) == COUNT


def test_interrupted_run_ends_soon_and_is_resumed(server: Server, suite: Path) -> None:
    write_source(suite, "one", [pinned("a", server.serve("a", data(0, 2_000_000), pause=0.05), data(0, 2_000_000))])
    process = run_stage(suite)
    while server.sent < 100_000:
        assert process.poll() is None
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=10)
    assert process.returncode == 130
    assert "Traceback" not in said
    server.files["a"].pause = 0
    fetch(Suite(suite))
    assert server.asked("a")[1] > 0


def test_failure_is_a_sentence_on_stderr_and_exit_1(server: Server, suite: Path) -> None:
    write_source(suite, "one", [pinned("a", f"{server.url}/gone", data(0))])
    process = run_stage(suite)
    out, said = process.communicate()
    assert (process.returncode, out) == (1, "")
    assert said.startswith("error: 1 of 1 files are missing\n  one/a: url http://")
    assert "Traceback" not in said


@pytest.mark.parametrize("stage", ["fetch", "verify"])
def test_wrong_interpreter_says_so_in_a_sentence(stage: str, tmp_path: Path) -> None:
    command = [sys.executable, "-S", "-E", str(ROOT / "stages" / f"{stage}.py")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: this stage runs under {sys.executable} (Python 3.")
    assert done.stderr.count("\n") == 1
    assert "lacks typer" in done.stderr
    assert "`make repro`" in done.stderr


@pytest.mark.parametrize("stage", ["fetch", "verify"])
def test_help_is_there_from_any_directory(stage: str, tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "stages" / f"{stage}.py"), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "--suite" in done.stdout


# The registry of a suite


def test_suite_entry_comes_before_the_repository_s(suite: Path) -> None:
    write_params(suite, ["locomo", "cosqa"])
    write_source(suite, "locomo", [pinned("a", "https://example.org/a", b"")])
    titles = [source.title for source in Suite(suite).sources]
    assert titles[0] == "The source locomo"
    assert titles[1] == load_source("cosqa").title


@pytest.mark.parametrize("path", ["../a", "/a", "a/../b", "a//b", "a/", "a\\b", ".", "a\nb"])
@pytest.mark.parametrize("field", ["path", "mirror"])
def test_path_that_leaves_its_folder_is_refused(suite: Path, path: str, field: str) -> None:
    write_source(suite, "one", [{**pinned("a", "https://example.org/a", b""), field: path}])
    with pytest.raises(BenchError, match=rf"one.yaml: \$\.files\[0\]\.{field}"):
        Suite(suite).sources  # noqa: B018


def test_path_listed_twice_is_refused(suite: Path) -> None:
    write_source(suite, "one", [pinned("a", "https://example.org/a", b"")] * 2)
    with pytest.raises(BenchError, match="lists a more than once"):
        Suite(suite).sources  # noqa: B018


@pytest.mark.parametrize("url", ["http://example.org/a", "ftp://example.org/a", "http://localhost.example.org/a", "a"])
def test_url_of_another_kind_is_refused(suite: Path, url: str) -> None:
    write_source(suite, "one", [pinned("a", url, b"")])
    with pytest.raises(BenchError, match=r"\$\.files\[0\]\.url"):
        Suite(suite).sources  # noqa: B018


def test_a_dead_mirror_is_given_up(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    write_source(suite, "one", [pinned("a", "file:README.md", (ROOT / "README.md").read_bytes())])
    monkeypatch.setenv("BENCH_MIRROR", "http://127.0.0.1:9")
    monkeypatch.setattr("bench.fetch.run.MIRROR_PATIENCE", 1)
    assert fetch(Suite(suite)).url == 1
    assert "going on without it" in capfd.readouterr().err
