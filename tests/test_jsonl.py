"""Strict reading, canonical writing, and files that are whole or absent."""

import os
import signal
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.errors import BenchError
from bench.jsonl import encode, parse_strict, read_rows, replacing, write_document, write_rows
from bench.records import Unit

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text() | st.floats(-1e300, 1e300),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_what_is_written_reads_back_the_same(value):
    assert parse_strict(encode(value)) == value


@given(st.dictionaries(st.text(), st.integers()))
def test_the_order_of_keys_does_not_matter(value):
    assert encode(value) == encode(dict(reversed(value.items())))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a":1,"a":2}', "key 'a' stands twice"),
        (b'{"a":NaN}', "NaN is not JSON"),
        (b"[-Infinity]", "-Infinity is not JSON"),
        (b"[1e999]", "1e999 is beyond"),
        (b'\xef\xbb\xbf{"a":1}', "byte order mark"),
        (b'{"a":"\xff"}', "utf-8"),
        (b'{"a":"\\ud800"}', "lone surrogate"),
        (b"[" * 201 + b"]" * 201, "nested deeper than 200"),
        (b"[" * 100_000 + b"]" * 100_000, "nested deeper than 200"),
        (b'{"a":1', "Expecting"),
    ],
)
def test_what_parsers_let_through_is_refused(data, message):
    with pytest.raises(ValueError, match=message):
        parse_strict(data)


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), [1, {"a": float("-inf")}], Unit({"x": float("nan")}, "")]
)
def test_nan_is_not_written(value):
    with pytest.raises(ValueError, match="cannot be written as JSON"):
        encode(value)


def test_null_is_written():
    assert encode({"b": None, "a": "null"}) == b'{"a":"null","b":null}'


def test_a_bad_row_is_named_by_line(tmp_path):
    path = tmp_path / "units.jsonl"
    path.write_bytes(b'{"region":{},"text":"a"}\n{"region":{}}\n')
    with pytest.raises(BenchError, match=r"units\.jsonl:2 is not a Unit record: .*`text`"):
        list(read_rows(path, Unit))


def test_a_failed_write_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "rows.jsonl"
    write_rows(path, [1, 2])
    with pytest.raises(ValueError, match="cannot be written as JSON"):
        write_rows(path, [3, float("nan")])
    assert path.read_bytes() == b"1\n2\n"
    assert [file.name for file in tmp_path.iterdir()] == ["rows.jsonl"]


def test_a_document_is_indented_and_sorted(tmp_path):
    write_document(tmp_path / "d.json", {"b": 1, "a": {"c": 2}})
    assert (tmp_path / "d.json").read_text() == '{\n "a": {\n  "c": 2\n },\n "b": 1\n}\n'


def test_a_killed_write_never_has_the_final_name(tmp_path):
    path = tmp_path / "rows.jsonl"
    script = (
        "import itertools, sys, pathlib\n"
        "from bench.jsonl import write_rows\n"
        "def rows():\n"
        "    for number in itertools.count():\n"
        "        if number == 50_000: print('far', flush=True)\n"
        "        yield number\n"
        f"write_rows(pathlib.Path({str(path)!r}), rows())\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert writer.stdout.readline() == b"far\n"
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    assert not path.exists()


def test_a_file_replaces_another_whole(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
