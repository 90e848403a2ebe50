"""`bench custom convert`: every layout into the same three files, how it was read, and what it refuses."""

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from custom_sets import DOCUMENTS, QRELS, QUERIES, SOUND, jsonl, write
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from bench.cli import app
from bench.custom.check import check
from bench.custom.convert import trec
from bench.custom.convert.options import Options, Source
from bench.custom.convert.reading import Reading
from bench.custom.convert.run import Conversion, run
from bench.errors import BenchError

JUDGED = [line.split("\t") for line in QRELS.splitlines()[1:]]


def convert(
    sources: list[str],
    out: Path,
    *,
    mapped: tuple[str, ...] = (),
    columns: tuple[str, ...] = (),
    encoding: str | None = None,
    quoting: str = "double",
    topic_ids: str = "num",
) -> Conversion:
    return run(sources, out, Options.parse(mapped, columns, encoding, quoting, topic_ids))


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def assert_sound(out: Path) -> None:
    """The converted set is the small sound one."""
    assert rows(out / "corpus.jsonl") == DOCUMENTS
    assert rows(out / "queries.jsonl") == QUERIES
    assert (out / "qrels" / "test.tsv").read_text(encoding="utf-8") == QRELS
    assert check(out).counts == {}


def table(path: Path, names: tuple[str, ...], data: list[list[str]], delimiter: str, encoding: str = "utf-8") -> str:
    with path.open("w", newline="", encoding=encoding) as file:
        csv.writer(file, delimiter=delimiter).writerows([names, *data])
    return str(path)


@pytest.mark.parametrize(
    ("suffix", "delimiter"), [("csv", ","), ("csv", ";"), ("csv", "|"), ("csv", "\t"), ("tsv", "\t")]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_tables_round_trip(tmp_path: Path, suffix: str, delimiter: str, encoding: str) -> None:
    documents = [[row["_id"], row["title"], row["text"]] for row in DOCUMENTS]
    corpus = table(tmp_path / f"c.{suffix}", ("_id", "title", "text"), documents, delimiter, encoding)
    queries = table(tmp_path / f"q.{suffix}", ("id", "text"), [[*row.values()] for row in QUERIES], delimiter, encoding)
    qrels = table(tmp_path / f"r.{suffix}", ("query-id", "corpus-id", "score"), JUDGED, delimiter, encoding)
    made = convert([f"corpus={corpus}", f"queries={queries}", f"qrels={qrels}"], tmp_path / "out")
    assert_sound(tmp_path / "out")
    names = {",": "comma", ";": "semicolon", "|": "bar", "\t": "tab"}
    mark = "" if encoding == "utf-8" else ", by its byte order mark"
    assert made.readings[0].how == [
        f"{suffix.upper()} with {names[delimiter]}",
        f"{encoding}{mark}",
        "no quotes occur",
    ]
    assert made.written == {"corpus.jsonl": 100, "queries.jsonl": 50, "qrels/test.tsv": 100}


def test_mapped_columns_and_what_is_left_out(tmp_path: Path) -> None:
    corpus = table(tmp_path / "c.csv", ("nr", "heading", "body", "year"), [["d1", "A", 'says "x", y\nz', "1999"]], ",")
    made = convert(
        [f"corpus={corpus}"], tmp_path / "out", mapped=("corpus._id=nr", "corpus.text=body", "corpus.title=heading")
    )
    assert rows(tmp_path / "out" / "corpus.jsonl") == [{"_id": "d1", "title": "A", "text": 'says "x", y\nz'}]
    assert made.readings[0].taken == {"_id": "nr", "text": "body", "title": "heading"}
    assert made.readings[0].left_out() == ["year"]
    assert made.readings[0].how[-1] == "double quotes around fields, 2 lines with one"


def test_a_table_without_header_needs_its_columns_named(tmp_path: Path) -> None:
    path = tmp_path / "q.tsv"
    path.write_text('1\t"quoted" word\n2\tplain\n', encoding="utf-8")
    with pytest.raises(BenchError, match=r"q\.tsv:1: no header with _id, text in .*--columns queries="):
        convert([f"queries={path}"], tmp_path / "out")
    with pytest.raises(BenchError, match=r"q\.tsv:1: .*--quoting none"):
        convert([f"queries={path}"], tmp_path / "out", columns=("queries=_id,text",))
    made = convert([f"queries={path}"], tmp_path / "out", columns=("queries=_id,text",), quoting="none")
    assert rows(tmp_path / "out" / "queries.jsonl")[0] == {"_id": "1", "text": '"quoted" word'}
    assert made.readings[0].how[-1] == "quotes as text, in 1 lines"


def test_an_unknown_encoding_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_bytes("_id,text\nq1,plain\nq2,café\n".encode("cp1252"))
    with pytest.raises(BenchError, match=r"q\.csv:3 is not utf-8; .*--encoding cp1252"):
        convert([f"queries={path}"], tmp_path / "out")
    assert not (tmp_path / "out").exists()
    made = convert([f"queries={path}"], tmp_path / "out", encoding="cp1252")
    assert rows(tmp_path / "out" / "queries.jsonl")[1]["text"] == "café"
    assert "cp1252, as given" in made.readings[0].how


def test_scores_are_never_cut(tmp_path: Path) -> None:
    path = table(
        tmp_path / "r.csv",
        ("query-id", "corpus-id", "score"),
        [["a", "b", "0.5"], ["a", "c", "-1"], ["a", "d", "2.0"]],
        ",",
    )
    convert([f"qrels:dev={path}"], tmp_path / "out")
    assert (tmp_path / "out/qrels/dev.tsv").read_text().splitlines()[1:] == ["a\tb\t0.5", "a\tc\t-1", "a\td\t2"]


TREC_CORPUS = """<DOC>
<DOCNO> FT-1 </DOCNO>
<HEADLINE>Bread &amp; butter</HEADLINE>
<TEXT><P>One <b>loaf</b></P>
</TEXT>
</DOC>
<doc><docno>FT-2</docno><text>first</text><text>second, 3 < 4</text></doc>
"""
TOPICS = """<top>
<num> Number: 301
<title> Bakeries

<desc> Description:
Which ones?
</top>
<top><num>305</num><title>Narrative: arts</title></top>
"""


def test_trec_documents_topics_and_qrels(tmp_path: Path) -> None:
    files = {"c.trec": TREC_CORPUS, "t.txt": TOPICS, "r.qrels": "301 0 FT-1 1\r\n305 0 FT-2 2\n305 0 FT-1 -1\n"}
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode())
    sources = [f"{role}={tmp_path / name}" for role, name in zip(("corpus", "queries", "qrels"), files, strict=True)]
    made = convert(sources, tmp_path / "out", mapped=("corpus.title=headline",))
    assert rows(tmp_path / "out/corpus.jsonl") == [
        {"_id": "FT-1", "title": "Bread & butter", "text": "One  loaf"},
        {"_id": "FT-2", "text": "first\nsecond, 3 < 4"},
    ]
    assert rows(tmp_path / "out/queries.jsonl") == [{"_id": "301", "text": "Bakeries"}, {"_id": "305", "text": "arts"}]
    assert (tmp_path / "out/qrels/test.tsv").read_text().splitlines()[1:] == [
        "301\tFT-1\t1",
        "305\tFT-2\t2",
        "305\tFT-1\t-1",
    ]
    assert made.readings[0].notes == {"tags within fields taken out": 4, "fields with entities decoded": 1}
    assert made.readings[1].left_out() == ["desc"]


def test_topics_by_position_and_the_hint_to_it(tmp_path: Path) -> None:
    (tmp_path / "t.xml").write_text(TOPICS, encoding="utf-8")
    (tmp_path / "r.txt").write_text("1 0 a 1\n2 0 a 1\n", encoding="utf-8")
    sources = [f"queries={tmp_path / 't.xml'}", f"qrels={tmp_path / 'r.txt'}"]
    made = convert(sources, tmp_path / "num")
    assert len(made.hints) == 1
    assert made.hints[0].startswith("2 of 2 judged query ids are not among the 2 queries, but all are positions")
    made = convert(sources, tmp_path / "position", topic_ids="position")
    assert made.hints == []
    assert [row["_id"] for row in rows(tmp_path / "position/queries.jsonl")] == ["1", "2"]


def test_parquet_configs_and_splits(tmp_path: Path) -> None:
    folder = tmp_path / "hub"
    tables = {
        "corpus/corpus-00000-of-00002.parquet": DOCUMENTS[:60],
        "corpus/corpus-00001-of-00002.parquet": DOCUMENTS[60:],
        "queries/queries-00000-of-00001.parquet": [{"id": row["_id"], "text": row["text"]} for row in QUERIES],
        "default/test-00000-of-00001.parquet": [
            {"query-id": query, "corpus-id": document, "score": float(score)} for query, document, score in JUDGED
        ],
        "default/dev-00000-of-00001.parquet": [{"query-id": "q1", "corpus-id": "d1", "score": 1.0}],
    }
    for name, data in tables.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(data), folder / name)
    convert([str(folder)], tmp_path / "out")
    assert (tmp_path / "out/qrels/dev.tsv").read_text().splitlines()[1:] == ["q1\td1\t1"]
    (tmp_path / "out/qrels/dev.tsv").unlink()
    assert_sound(tmp_path / "out")


def test_whole_numbers_become_ids_and_fractions_do_not(tmp_path: Path) -> None:
    for name, ids in (("whole", [1, 2]), ("broken", [1.0, None])):
        pq.write_table(pa.table({"_id": ids, "text": ["a", "b"]}), tmp_path / f"{name}.parquet")
    made = convert([f"queries={tmp_path / 'whole.parquet'}"], tmp_path / "out")
    assert rows(tmp_path / "out/queries.jsonl")[0]["_id"] == "1"
    assert made.readings[0].notes == {"_id: numbers written as text": 2}
    with pytest.raises(BenchError, match=r"broken\.parquet, row 1: _id is 1\.0; allowed: a string, or a whole number"):
        convert([f"queries={tmp_path / 'broken.parquet'}"], tmp_path / "other")


def test_json_lines_with_other_names_and_null_titles(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"docid":"d1","text":"a","title":null}\n\n{"docid":"d2","text":"b","url":"u"}\n', encoding="utf-8")
    made = convert([f"corpus={path}"], tmp_path / "out", mapped=("corpus._id=docid",))
    assert rows(tmp_path / "out/corpus.jsonl") == [{"_id": "d1", "text": "a"}, {"_id": "d2", "text": "b"}]
    assert made.readings[0].left_out() == ["url"]
    assert made.readings[0].notes == {"blank lines left out": 1}


BAD = [
    ("corpus", "c.csv", "_id,text\nd1,a,b\n", r"c\.csv:2: 3 fields, but 2 columns"),
    ("corpus", "c.csv", '_id,text\nd1,a\nd2,"open\n', r"c\.csv:3: .*--quoting none"),
    ("corpus", "c.csv", "_id,text,text\nd1,a,b\n", r"column 'text' stands twice"),
    ("corpus", "c.csv", "", r"c\.csv:1: is blank"),
    ("corpus", "c.csv", "nr,text\n", r"c\.csv:1: no header with _id, text .*--map corpus\._id=COLUMN"),
    ("qrels", "r.csv", "query-id,corpus-id,score\na,b,high\n", r"r\.csv:2: score is 'high'; allowed: a finite number"),
    ("qrels", "r.csv", 'query-id,corpus-id,score\na,"b\tc",1\n', r"r\.csv:2: an id holds a tab"),
    ("qrels", "r.txt", "q1 0 d1\n", r"r\.txt:1: 'q1 0 d1' has 3 fields"),
    ("qrels", "r.txt", "q1 0 d1 1\nq1 0 d2 x\n", r"r\.txt:2: score is 'x'"),
    ("queries", "q.jsonl", "[1]\n", r"q\.jsonl:1: is \[1\]; allowed: one JSON object a line"),
    ("queries", "q.jsonl", "{\n", r"q\.jsonl:1: is not JSON"),
    ("queries", "q.jsonl", '{"_id":"1","text":null}\n', r"q\.jsonl:1: text is None; allowed: a string"),
    ("queries", "q.parquet", "no parquet", r"q\.parquet cannot be read as parquet"),
    ("corpus", "c.xml", "<doc>\n<docno>1</docno>\n", r"c\.xml:1: <doc> is not closed: the file ends in it"),
    ("corpus", "c.xml", "<doc><docno>1</docno>\n<doc></doc>", r"c\.xml:1: <doc> is not closed before the next one"),
    ("corpus", "c.xml", "<doc><docno>1</docno><text>a</doc>", r"c\.xml:1: <text> is not closed within its document"),
    ("corpus", "c.xml", "<doc></doc>\nloose words", r"c\.xml:1: no _id|loose words"),
    ("corpus", "c.xml", "loose\n<doc></doc>", r"c\.xml:1: 'loose' stands outside of <doc>"),
    ("corpus", "c.xml", "\n<doc><docno>1</docno></doc>", r"c\.xml:2: no text among docno; .*--map corpus\.text=COLUMN"),
    ("queries", "notes.txt", "", r"has no <top>; it is read as TREC because"),
]


@pytest.mark.parametrize(("role", "name", "content", "message"), BAD)
def test_what_cannot_be_carried_over_is_a_sentence(
    tmp_path: Path, role: str, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(BenchError, match=message):
        convert([f"{role}={tmp_path / name}"], tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == [name], "nothing half-converted stays"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sources": ["documents=x"]}, "source 'documents=x'; allowed: corpus=FILE"),
        ({"sources": ["corpus:dev={file}"]}, "allowed: corpus=FILE"),
        ({"sources": ["qrels:../up={file}"]}, "a split's name holds letters"),
        ({"sources": ["corpus=none.csv"]}, "none.csv is no file"),
        ({"sources": ["{folder}"]}, "has no parquet in corpus/"),
        ({"mapped": ("corpus.body=x",)}, "--map corpus.body=x; allowed: ROLE.FIELD=COLUMN"),
        ({"mapped": ("queries.text=nope",)}, "has no such column|no header with"),
        ({"columns": ("queries=a,a",)}, "--columns queries=a,a; allowed"),
        ({"encoding": "nope"}, "--encoding nope is none that Python knows"),
        ({"quoting": "single"}, "--quoting single; allowed: double, none"),
        ({"topic_ids": "order"}, "--topic-ids order; allowed: num, position"),
    ],
)
def test_options_that_are_none(tmp_path: Path, arguments: dict, message: str) -> None:
    file = tmp_path / "q.csv"
    file.write_text("_id,text\n1,a\n", encoding="utf-8")
    written = arguments.pop("sources", ["queries={file}"])
    sources = [source.format(file=file, folder=tmp_path) for source in written]
    with pytest.raises(BenchError, match=message):
        convert(sources, tmp_path / "out", **arguments)


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path / "out")
    with pytest.raises(BenchError, match="is not empty"):
        convert([f"corpus={tmp_path / 'out' / 'corpus.jsonl'}"], tmp_path / "out")
    assert (tmp_path / "out/corpus.jsonl").read_text() == SOUND["corpus.jsonl"]


def test_the_folder_of_work_may_be_the_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "q.jsonl").write_text(jsonl(QUERIES), encoding="utf-8")
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    convert([f"queries={tmp_path / 'q.jsonl'}"], Path())
    assert rows(tmp_path / "out" / "queries.jsonl") == QUERIES


def test_what_was_read_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(jsonl(QUERIES), encoding="utf-8")
    command = ["custom", "convert", f"queries={path}", "--out", str(tmp_path / "out")]
    printed = CliRunner().invoke(app, command).stdout
    assert f"queries from {path}: JSON Lines; utf-8; 50 rows" in printed
    assert "_id from _id, text from text" in printed
    result = CliRunner().invoke(app, [*command[:-1], str(tmp_path / "again"), "--json"])
    assert json.loads(result.stdout)["written"] == {"queries.jsonl": 50}


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="<>&"), min_size=1).map(str.strip)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1))
def test_any_text_survives_trec(tmp_path_factory: pytest.TempPathFactory, texts: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("trec") / "c.xml"
    inner = "".join(
        f"<doc>\n<docno>{n}</docno><title>{a}</title>\n<text>{b}</text></doc>\n" for n, (a, b) in enumerate(texts)
    )
    path.write_text(inner, encoding="utf-8")
    options = Options.parse((), (), None, "double", "num")
    read = list(trec.read_documents(Reading(Source("corpus", "", path)), options, lambda count: None))
    assert [(row.values["title"], row.values["text"]) for row in read] == texts
    assert [row.place for row in read] == [f"{path}:{1 + 3 * number}" for number in range(len(texts))]
