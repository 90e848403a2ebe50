"""The verify stage: each way in which raw files can be wrong is named, and the manifest says what was found."""

import csv
import gzip
import io
import json
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pypdfium2
import pytest
from loopback import pinned, sha256, write_params, write_source
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from bench.errors import BenchError
from bench.ids import digest
from bench.registry import load_source
from bench.suite import ROOT, Suite
from bench.verify import openers
from bench.verify import run as verify
from bench.verify.openers import opener
from bench.verify.run import verify as run_verify


def write_suite(suite: Path, sources: dict[str, dict[str, bytes]]) -> Suite:
    """A suite whose raw files are there, whole and pinned."""
    write_params(suite, list(sources))
    for name, files in sources.items():
        entries = [pinned(path, f"https://example.org/{path}", content) for path, content in files.items()]
        write_source(suite, name, entries)
        for path, content in files.items():
            target = suite / "raw" / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    return Suite(suite)


def findings(suite: Suite) -> list[str]:
    with pytest.raises(BenchError) as caught:
        run_verify(suite)
    assert not suite.manifest.exists()
    return str(caught.value).split("\n  ")[1:]


def manifest(suite: Suite) -> list[dict[str, Any]]:
    return [json.loads(line) for line in suite.manifest.read_text("utf-8").splitlines()]


def test_manifest_says_what_was_found(tmp_path: Path) -> None:
    one, two = b'[{"a": 1}, {"a": 2}]', b"a,b\n1,2\n"
    suite = write_suite(tmp_path, {"zeta": {"b.json": one, "a/c.csv": two}, "alpha": {"LICENSE": b"free\n"}})
    assert run_verify(suite) == (2, 3, len(one) + len(two) + 5)
    alpha, zeta = manifest(suite)
    assert (alpha["source"], zeta["source"]) == ("alpha", "zeta")
    assert zeta["files"] == [
        {
            "path": "a/c.csv",
            "url": "https://example.org/a/c.csv",
            "sha256": sha256(two),
            "bytes": len(two),
            "kind": "table",
            "detail": {"columns": 2, "rows": 1},
        },
        {
            "path": "b.json",
            "url": "https://example.org/b.json",
            "sha256": sha256(one),
            "bytes": len(one),
            "kind": "json",
            "detail": {"rows": 2},
        },
    ]
    assert zeta["sha256"] == digest(f"a/c.csv\0{sha256(two)}\nb.json\0{sha256(one)}\n")
    assert {key: alpha[key] for key in ("revision", "retrieved_at", "assigned", "licence", "annotation_source")} == {
        "revision": "1",
        "retrieved_at": "2026-01-01T00:00:00Z",
        "assigned": [],
        "licence": {"spdx": "CC0-1.0", "read_at": "LICENSE", "redistribute": True},
        "annotation_source": {"kind": "human", "how": "by hand"},
    }
    assert str(tmp_path) not in suite.manifest.read_text("utf-8")


def test_manifest_is_the_same_every_time(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, {"one": {"b": b"1", "a": b"2"}})
    run_verify(suite)
    first = suite.manifest.read_bytes()
    write_params(tmp_path, ["one"], jobs=1)
    run_verify(Suite(tmp_path))
    assert suite.manifest.read_bytes() == first


def test_flipped_byte(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, {"one": {"a.txt": b"abc", "b.txt": b"abd"}})
    (suite.raw / "one/a.txt").write_bytes(b"abb")
    assert findings(suite) == [
        f"one/a.txt: expected sha256 {sha256(b'abc')}, found {sha256(b'abb')} (3 bytes): "
        "run the fetch stage, or `dvc pull`"
    ]


def test_missing_file(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, {"one": {"a.txt": b"abc", "b.txt": b"abd"}})
    (suite.raw / "one/a.txt").unlink()
    assert findings(suite) == [
        f"one/a.txt: is missing, expected sha256 {sha256(b'abc')}: run the fetch stage, or `dvc pull`"
    ]


def test_extra_file(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, {"one": {"deep/a.txt": b"abc"}})
    (suite.raw / "one/deep/.hidden").write_bytes(b"")
    (suite.raw / "one/a.txt").write_bytes(b"abc")
    assert [line.partition(": ")[0] for line in findings(suite)] == ["one/a.txt", "one/deep/.hidden"]


def test_dvc_s_own_files_are_no_data(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, {"one": {"a.txt": b"abc"}})
    (suite.raw / ".gitignore").write_text("/one\n")
    (suite.raw / "one/.gitignore").write_text("/a.txt\n")
    assert run_verify(suite).files == 1


def test_wrong_size_in_the_registry(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, {"one": {"a.txt": b"abc"}})
    write_source(tmp_path, "one", [{**pinned("a.txt", "https://example.org/", b"abc"), "bytes": 4}])
    assert findings(suite) == [
        "one/a.txt: its sha256 is right, but the registry says 4 bytes and it has 3: correct the entry"
    ]


def test_all_findings_at_once_and_an_old_manifest_goes(tmp_path: Path) -> None:
    suite = write_suite(tmp_path, {"two": {"a.txt": b"1", "b.json": b"{", "c.txt": b"3"}, "one": {"d.txt": b"4"}})
    suite.corpus.mkdir()
    suite.manifest.write_text("old\n")
    (suite.raw / "two/a.txt").write_bytes(b"2")
    (suite.raw / "two/c.txt").unlink()
    (suite.raw / "one/e.txt").write_bytes(b"5")
    assert [line.partition(": ")[0] for line in findings(suite)] == [
        "one/e.txt",
        "two/a.txt",
        "two/b.json",
        "two/c.txt",
    ]


def test_source_that_params_do_not_list(tmp_path: Path) -> None:
    write_suite(tmp_path, {"one": {"a.txt": b"1"}, "two": {"a.txt": b"1"}})
    write_params(tmp_path, ["one"])
    with pytest.raises(BenchError, match=r"holds two, which params\.yaml does not list"):
        run_verify(Suite(tmp_path))


def test_many_files_in_several_processes_give_the_same_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"{number:03}.json": b"[%d]" % number for number in range(150)} | {"large.txt": b"x\n" * 600_000}
    suite = write_suite(tmp_path, {"one": files})
    run_verify(suite)
    alone = suite.manifest.read_bytes()
    monkeypatch.setattr(verify, "PARALLEL_BYTES", 0)
    monkeypatch.setattr(verify.os, "cpu_count", lambda: 2)
    run_verify(suite)
    assert suite.manifest.read_bytes() == alone
    (suite.raw / "one/077.json").write_bytes(b"[78]")
    assert [line.partition(": ")[0] for line in findings(suite)] == ["one/077.json"]


def test_stage_exits_1_with_the_findings_on_stderr(tmp_path: Path) -> None:
    suite = write_suite(tmp_path / "suite", {"one": {"a.txt": b"abc"}})
    command = [sys.executable, str(ROOT / "stages/verify.py"), "--suite", str(tmp_path / "suite")]
    right = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert right.stdout == "verify: 1 sources, 1 files, 0.0 MB as the registry says\n"
    (suite.raw / "one/a.txt").write_bytes(b"abb")
    wrong = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "Traceback" not in wrong.stderr
    for part in ("one/a.txt", sha256(b"abc"), sha256(b"abb")):
        assert part in wrong.stderr


def test_real_sources_are_as_pinned(tmp_path: Path, mirror: Path) -> None:
    write_params(tmp_path, ["locomo", "mmlongbench-doc"])
    (tmp_path / "raw").mkdir()
    for name in ("locomo", "mmlongbench-doc"):
        for file in load_source(name).files:
            link = tmp_path / "raw" / name / file.path
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(mirror / name / file.path)
    assert run_verify(Suite(tmp_path)).files == 57
    pdfs = [file for row in manifest(Suite(tmp_path)) for file in row["files"] if file["kind"] == "pdf"]
    assert len(pdfs) == 48
    assert {file["path"]: file["detail"] for file in pdfs}["documents/2303.08559v2.pdf"] == {"pages": 30}


# Openers


def pdf() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    for text in ("one", "two"):
        canvas.drawString(100, 100, text)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def pdf_without_a_page() -> bytes:
    out = io.BytesIO()
    pypdfium2.PdfDocument.new().save(out)
    return out.getvalue()


def image(name: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (4, 3)).save(out, name)
    return out.getvalue()


def parquet() -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"a": [1, 2, 3], "b": [4, 5, 6]}), out)
    return out.getvalue()


def archive(*names: str | zipfile.ZipInfo) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as writer:
        for name in names:
            writer.writestr(name, b"some content")
    return out.getvalue()


def tfrecord(*records: bytes) -> bytes:
    return b"".join(struct.pack("<Q", len(record)) + b"crc0" + record + b"crc1" for record in records)


LINES = b'{"a": 1}\n{"a": 2}\n\n'
RIGHT: list[tuple[str, bytes, str, dict[str, int | str]]] = [
    ("a.pdf", pdf(), "pdf", {"pages": 2}),
    ("a.PNG", image("PNG"), "image", {"width": 4, "height": 3}),
    ("a.jpg", image("JPEG"), "image", {"width": 4, "height": 3}),
    ("a.jpeg", image("JPEG"), "image", {"width": 4, "height": 3}),
    ("a.webp", image("WEBP"), "image", {"width": 4, "height": 3}),
    ("a.json", b'{"a": [1, 2], "b": 3}', "json", {"rows": 2}),
    ("a.json", b"7", "json", {"rows": 1}),
    ("a.jsonl", LINES, "json_lines", {"rows": 2}),
    ("a.v1.jsonl.gz", gzip.compress(LINES), "json_lines", {"rows": 2}),
    ("a.bin.gz", gzip.compress(LINES), "gzip", {"unpacked_bytes": len(LINES)}),
    ("a.csv", b'\xef\xbb\xbfa,b\n"1\n1",2\n', "table", {"columns": 2, "rows": 1}),
    ("a.tsv", b'a\tb\n"1\t2\n', "table", {"columns": 2, "rows": 1}),
    ("a.parquet", parquet(), "parquet", {"columns": 2, "rows": 3}),
    ("a.zip", archive("a", "b/c..d"), "archive", {"members": 2}),
    ("a-1.0-py3-none-any.whl", archive("a.py"), "archive", {"members": 1}),
    ("a.tfrecord", tfrecord(b"one", b""), "tfrecord", {"records": 2}),
    ("a.txt", "ü\n".encode(), "text", {"lines": 1}),
    ("NAME_LICENCE", b"free\n", "text", {"lines": 1}),
    ("weights", b"\xff\xfe", "bytes", {}),
    ("a.unknown", b"\xff\xfe", "bytes", {}),
]


@pytest.mark.parametrize(("name", "content", "kind", "detail"), RIGHT, ids=[f"{row[0]}-{row[2]}" for row in RIGHT])
def test_opener_tells_what_it_learned(
    tmp_path: Path, name: str, content: bytes, kind: str, detail: dict[str, int | str]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    found = opener(path)
    assert (found.kind, found.open(path)) == (kind, detail)


BROKEN = {
    "a page of text.pdf": b"no pdf",
    "cut off.pdf": pdf()[:200],
    "no page.pdf": pdf_without_a_page(),
    "a photo.png": image("JPEG"),
    "cut off.png": image("PNG")[:20],
    "a drawing.jpg": image("PNG"),
    "text.webp": b"RIFF",
    "cut off.json": b'[{"a": 1}, ',
    "empty.json": b"",
    "latin.json": b'["\xfc"]',
    "cut off.jsonl": b'{"a": 1}\n{"a"',
    "cut off.jsonl.gz": gzip.compress(LINES)[:-6],
    "wrong sum.gz": gzip.compress(LINES)[:-8] + b"\0" * 8,
    "not packed.jsonl.gz": LINES,
    "latin.csv": b"a,b\n\xfc,1\n",
    "empty.csv": b"",
    "blank header.tsv": b"\n1\t2\n",
    "no footer.parquet": parquet()[:-4],
    "cut off.zip": archive("a")[:-10],
    "wrong sum.zip": archive("a").replace(b"some content", b"same content"),
    "text.whl": b"no wheel",
    "cut off.tfrecord": tfrecord(b"one", b"two")[:-1],
    "wrong length.tfrecord": struct.pack("<Q", 1 << 63) + b"crc0one",
    "few bytes.tfrecord": b"\1\0",
    "latin.txt": b"\xfc",
    "utf-16.md": "text".encode("utf-16"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_file_that_is_not_what_it_claims(tmp_path: Path, name: str) -> None:
    (line,) = findings(write_suite(tmp_path, {"one": {name: BROKEN[name]}}))
    kind = opener(Path(name)).kind
    assert line.startswith(f"one/{name}: its sha256 is right, but it is no readable {kind} file: ")
    assert str(tmp_path) not in line


def test_broken_line_is_numbered(tmp_path: Path) -> None:
    (line,) = findings(write_suite(tmp_path, {"one": {"a.jsonl": b'{"a": 1}\n\n{"a"\n'}}))
    assert "line 3" in line


def link() -> zipfile.ZipInfo:
    member = zipfile.ZipInfo("link")
    member.external_attr = 0o120777 << 16
    return member


def written(name: str) -> zipfile.ZipInfo:
    """A member whose name zipfile does not tidy up."""
    member = zipfile.ZipInfo("x")
    member.filename = name
    return member


@pytest.mark.parametrize(
    ("member", "trick"),
    [
        ("/etc/passwd", "has an absolute path"),
        (written("\\\\server\\a"), "has an absolute path"),
        ("C:/a", "has an absolute path"),
        ("a/../../b", "leaves its folder by .."),
        (written("a\\..\\b"), "leaves its folder by .."),
        (written("a\\b"), "has a backslash"),
        (link(), "is a link"),
    ],
    ids=["absolute", "share", "drive", "dots", "backslash-dots", "backslash", "link"],
)
def test_archive_with_a_path_trick(tmp_path: Path, member: str | zipfile.ZipInfo, trick: str) -> None:
    (line,) = findings(write_suite(tmp_path, {"one": {"a.zip": archive("fine", member)}}))
    assert trick in line


def test_archive_that_unpacks_to_too_much_is_listed_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openers, "TESTED_ARCHIVE_BYTES", 11)
    path = tmp_path / "a.zip"
    path.write_bytes(BROKEN["wrong sum.zip"])
    assert opener(path).open(path) == {"members": 1}


@pytest.mark.parametrize("content", ["[]", "{}", '[1, [2, {}], {"a": [3]}]', '{"a": {"b": [1, 2]}, "c": 4, "d": []}'])
def test_streamed_json_counts_as_the_other_way_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    whole = opener(path).open(path)
    monkeypatch.setattr(openers, "STREAMED_JSON_BYTES", 0)
    assert opener(path).open(path) == whole


def test_streamed_json_that_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openers, "STREAMED_JSON_BYTES", 0)
    (line,) = findings(write_suite(tmp_path, {"one": {"a.json": b'[{"a": 1}, '}}))
    assert "no readable json file" in line


def test_csv_field_of_a_megabyte(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    out = io.StringIO()
    csv.writer(out).writerows([["a"], ["x" * 1_000_000]])
    path.write_text(out.getvalue())
    assert opener(path).open(path) == {"columns": 1, "rows": 1}
