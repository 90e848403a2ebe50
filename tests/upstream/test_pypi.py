"""Functions of a wheel: their ids, regions, texts, questions, and the files that cannot be read."""

from collections import Counter
from pathlib import Path
from zipfile import ZipFile

import pytest

from bench.errors import BenchError
from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows
from bench.upstream.pypi import read, read_functions

HOUSE = '''\
"""Doors and windows."""

import functools


@functools.cache
def doors(house):
    """Count the open doors of a house.

    Slowly.
    """
    # every door
    return sum(door.open for door in house)


class House:
    """A house with all of its doors."""

    @property
    def size(self):
        """Tell how large the house is."""
        return self._size

    @size.setter
    def size(self, value):
        self._size = value

    async def close(self):
        def one(door):
            """Close a single door with care."""
            return door.close()

        class Key:
            """A key that opens nothing."""

            def turn(self): "Turn the key once around."

        return [one(door) for door in self]


if functools:
    def windows(): "Count all windows of it."; return 1
else:
    def windows():
        return 0
'''


def wheel(folder: Path, members: dict[str, str | bytes], name: str = "Small_House-1.0-py3-none-any.whl") -> Raw:
    with ZipFile(folder / name, "w") as archive:
        for path, content in members.items():
            archive.writestr(path, content)
    return Raw(folder, "pypi-house", "1.0", {})


def texts(records: list[Record]) -> dict[str, str]:
    return {record.source_id: record.units[0][1] for record in records if isinstance(record, Document)}


def excluded(records: list[Record]) -> list[tuple[str, str, str]]:
    return [(record.kind, record.item, record.reason) for record in records if isinstance(record, Excluded)]


def assert_all_rows_are_accounted_for(records: list[Record]) -> None:
    for kind, made in (("document", Document), ("question", Question)):
        rows = sum(record.total for record in records if isinstance(record, Rows) and record.kind == kind)
        left_out = sum(isinstance(record, Excluded) and record.kind == kind for record in records)
        assert rows == sum(isinstance(record, made) for record in records) + left_out


def test_every_function_is_a_source_of_its_package(tmp_path: Path) -> None:
    records = list(read(wheel(tmp_path, {"house/__init__.py": HOUSE, "house/data.txt": "def no(): pass"})))
    documents = [record for record in records if isinstance(record, Document)]
    assert [document.source_id for document in documents] == [
        "pypi-house/house/__init__.py#doors",
        "pypi-house/house/__init__.py#House.size@20",
        "pypi-house/house/__init__.py#House.size@25",
        "pypi-house/house/__init__.py#House.close",
        "pypi-house/house/__init__.py#House.close.one",
        "pypi-house/house/__init__.py#House.close.Key.turn",
        "pypi-house/house/__init__.py#windows@42",
        "pypi-house/house/__init__.py#windows@44",
    ]
    assert {document.holder for document in documents} == {"pypi:small-house"}
    assert documents[0].extent == {
        "symbols": [{"path": "house/__init__.py", "symbol": "doors", "line_start": 6, "line_end": 13}]
    }
    assert documents[0].units[0][0] == {"path": "house/__init__.py", "symbol": "doors"}
    assert_all_rows_are_accounted_for(records)


def test_a_name_defined_twice_is_addressed_by_its_line(tmp_path: Path) -> None:
    records = list(read(wheel(tmp_path, {"house.py": HOUSE})))
    sizes = [record for record in records if isinstance(record, Document) and "#House.size" in record.source_id]
    assert [size.units[0][0] for size in sizes] == [{"path": "house.py", "line": 20}, {"path": "house.py", "line": 25}]
    # The decorator belongs to the function, and so the line lies within its extent.
    assert [(size.extent["symbols"][0]["line_start"], size.extent["symbols"][0]["line_end"]) for size in sizes] == [
        (19, 22),
        (24, 26),
    ]


def test_the_same_name_in_two_files_keeps_its_symbol(tmp_path: Path) -> None:
    records = list(read(wheel(tmp_path, {"a.py": "def f(): pass", "b.py": "def f(): pass"})))
    assert [record.units[0][0] for record in records if isinstance(record, Document)] == [
        {"path": "a.py", "symbol": "f"},
        {"path": "b.py", "symbol": "f"},
    ]


def test_the_text_has_no_docstring_of_its_own_or_within(tmp_path: Path) -> None:
    found = texts(list(read(wheel(tmp_path, {"house.py": HOUSE}))))
    assert found["pypi-house/house.py#doors"] == (
        "@functools.cache\ndef doors(house):\n    # every door\n    return sum(door.open for door in house)"
    )
    assert found["pypi-house/house.py#House.close"] == (
        "    async def close(self):\n"
        "        def one(door):\n"
        "            return door.close()\n"
        "\n"
        "        class Key:\n"
        "\n"
        "            def turn(self): \n"
        "\n"
        "        return [one(door) for door in self]"
    )
    assert found["pypi-house/house.py#windows@42"] == "    def windows(): return 1"


def test_a_docstring_is_cut_by_characters_where_bytes_differ() -> None:
    (function,) = read_functions("a.py", 'def größe(): "Größe der Tür in Ä."; x = "ß"; return x\n'.encode())
    assert function.text == 'def größe(): x = "ß"; return x'
    assert function.docstring == "Größe der Tür in Ä."


def test_a_first_sentence_asks_for_its_function(tmp_path: Path) -> None:
    records = list(read(wheel(tmp_path, {"house.py": HOUSE})))
    asked = {record.question: record for record in records if isinstance(record, Question)}
    assert list(asked) == [
        "Count the open doors of a house.",
        "Tell how large the house is.",
        "Close a single door with care.",
        "Turn the key once around.",
        "Count all windows of it.",
    ]
    doors = asked["Count the open doors of a house."]
    assert doors.gold == [Gold("pypi-house/house.py#doors", {"path": "house.py", "symbol": "doors"})]
    assert (doors.about, doors.item, doors.scenario) == ("house.py#doors", "house.py#doors", "docstring")
    assert (doors.holder, doors.session, doors.as_of) == ("pypi:small-house", None, None)
    windows = asked["Count all windows of it."]
    assert windows.gold == [Gold("pypi-house/house.py#windows@42", {"path": "house.py", "line": 42})]


def test_docstrings_that_do_not_ask_are_listed_with_their_reason(tmp_path: Path) -> None:
    code = '''
def silent(): pass
def short():
    """Do it."""
def elsewhere():
    """See the other function of this name."""
def one():
    """Shut all doors of it."""
def two():
    """Shut all doors  of it.

    Again."""
'''
    records = list(read(wheel(tmp_path, {"a.py": code})))
    assert excluded(records) == [
        ("question", "a.py#silent", "no_docstring"),
        ("question", "a.py#short", "short_docstring"),
        ("question", "a.py#elsewhere", "refers_elsewhere"),
        ("question", "a.py#one", "sentence_of_many_functions"),
        ("question", "a.py#two", "sentence_of_many_functions"),
    ]
    assert len(texts(records)) == 5
    assert_all_rows_are_accounted_for(records)


@pytest.mark.parametrize(
    "content",
    [
        b"def f(:\n    pass\n",
        b"print 'two'\n",
        b"x = '\xff'\n",
        b"# coding: no-such-encoding\n",
        b"def f():\n\0    pass\n",
        b"x = " + b"(" * 5000 + b")" * 5000,
        b"x = " + b"-" * 100_000 + b"1",
    ],
    ids=["syntax", "python2", "not utf-8", "encoding", "null byte", "nested", "deep"],
)
def test_a_file_that_does_not_parse_is_one_row_left_out(tmp_path: Path, content: bytes) -> None:
    records = list(read(wheel(tmp_path, {"bad.py": content, "good.py": "def f(): pass"})))
    assert excluded(records)[0] == ("document", "bad.py", "unparsable_file")
    assert list(texts(records)) == ["pypi-house/good.py#f"]
    assert_all_rows_are_accounted_for(records)


def test_files_of_other_encodings_and_line_ends_are_read() -> None:
    latin = "# -*- coding: latin-1 -*-\r\ndef f():\r\n    '''Öffne alle Türen.'''\r\n    return 'ü'\r\n"
    (function,) = read_functions("a.py", latin.encode("latin-1"))
    assert (function.docstring, function.text) == ("Öffne alle Türen.", "def f():\n    return 'ü'")
    (marked,) = read_functions("a.py", b"\xef\xbb\xbfdef f(): pass")
    assert (marked.line, marked.text) == (1, "def f(): pass")


@pytest.mark.filterwarnings("error")
def test_a_doubtful_escape_warns_nobody() -> None:
    (function,) = read_functions("a.py", b'def f():\n    "Match \\d of it all."\n    return 0\n')
    assert function.docstring == "Match \\d of it all."


def test_a_long_chain_of_elif_is_walked() -> None:
    chain = "if x == 0:\n    def f0(): pass\n" + "".join(
        f"elif x == {n}:\n    def f{n}(): pass\n" for n in range(1, 150)
    )
    assert [function.qualname for function in read_functions("a.py", chain.encode())] == [f"f{n}" for n in range(150)]


def test_functions_in_every_kind_of_block_are_found() -> None:
    code = """
try:
    def a(): pass
except E:
    def b(): pass
else:
    def c(): pass
finally:
    def d(): pass
match x:
    case 1:
        def e(): pass
with x:
    for y in x:
        while y:
            def f(): pass
"""
    assert [function.qualname for function in read_functions("a.py", code.encode())] == list("abcdef")


def test_a_source_is_one_wheel(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="is one wheel, found none"):
        list(read(Raw(tmp_path, "pypi-house", "1.0", {})))
    wheel(tmp_path, {}, "a-1-py3-none-any.whl")
    raw = wheel(tmp_path, {}, "b-1-py3-none-any.whl")
    with pytest.raises(BenchError, match=r"found a-1-py3-none-any\.whl, b-1"):
        list(read(raw))


def test_a_broken_wheel_is_named(tmp_path: Path) -> None:
    (tmp_path / "a-1-py3-none-any.whl").write_bytes(b"no archive")
    with pytest.raises(BenchError, match=r"pypi-house: a-1-py3-none-any\.whl is no zip archive"):
        list(read(Raw(tmp_path, "pypi-house", "1.0", {})))


def test_nothing_of_a_wheel_is_run(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    list(read(wheel(tmp_path, {"a.py": f"open({str(mark)!r}, 'w').close()\ndef f(): pass"})))
    assert not mark.exists()


def test_a_real_wheel(fetched: Path) -> None:
    """Needs suites/third-party/raw/pypi-networkx, which fetch brings."""
    records = list(read(Raw(fetched, "pypi-networkx", "3.6.1", {})))
    assert_all_rows_are_accounted_for(records)
    assert len(texts(records)) == 7207
    assert Counter(reason for _, _, reason in excluded(records)) == {
        "no_docstring": 4934,
        "sentence_of_many_functions": 297,
        "short_docstring": 88,
        "refers_elsewhere": 8,
        "markup_only": 10,
    }
    (asked,) = [
        record
        for record in records
        if isinstance(record, Question) and record.question == "Returns the number of isolates in the graph."
    ]
    path = "networkx/algorithms/isolate.py"
    assert asked.gold == [
        Gold(f"pypi-networkx/{path}#number_of_isolates", {"path": path, "symbol": "number_of_isolates"})
    ]


@pytest.fixture
def fetched() -> Path:
    folder = Path(__file__).resolve().parents[2] / "suites" / "third-party" / "raw" / "pypi-networkx"
    if not folder.is_dir():
        pytest.skip("the third-party suite is not fetched: run `dvc repro suites/third-party/dvc.yaml` or `dvc pull`")
    return folder
