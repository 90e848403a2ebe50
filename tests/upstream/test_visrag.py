"""VisRAG-Ret-Test: each treatment in a tiny set of its own. No real set is small enough to lie on the mirror."""

import random
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from msgspec import UNSET
from PIL import Image

from bench.errors import BenchError
from bench.registry import load_source
from bench.upstream import visrag
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows

IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
QUERY = {"query-id": "q1", "query": "Which year had the peak?", "answer": ["1999", "in 1999"]}
QREL = ("q1", "a.png", 1)


def picture(shade: int, size: tuple[int, int] = (8, 6)) -> dict[str, Any]:
    file = BytesIO()
    Image.new("L", size, shade).save(file, "PNG")
    return {"bytes": file.getvalue(), "path": "a.png"}


def noisy(seed: int) -> dict[str, Any]:
    """An image of about 100 kB, which does not compress."""
    file = BytesIO()
    Image.frombytes("L", (320, 320), random.Random(seed).randbytes(320 * 320)).save(file, "PNG")
    return {"bytes": file.getvalue(), "path": None}


def write(path: Path, table: pa.Table) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path, row_group_size=2)


def write_corpus(directory: Path, rows: Sequence[tuple[str | None, Any]], shard: int = 0) -> None:
    ids, images = [row[0] for row in rows], [row[1] for row in rows]
    table = pa.table({"corpus-id": pa.array(ids, pa.string()), "image": pa.array(images, IMAGE)})
    write(directory / f"corpus/train-0000{shard}-of-00002.parquet", table)


def read(
    directory: Path,
    corpus: Sequence[tuple[str | None, Any]] = (("a.png", picture(1)), ("b.png", picture(2)), ("c.png", picture(3))),
    queries: Sequence[dict[str, Any]] = (QUERY,),
    qrels: Sequence[tuple[str, str, Any]] = (QREL,),
    **options: Any,
) -> list[Record]:
    write_corpus(directory, corpus)
    write(directory / "queries/train-00000-of-00001.parquet", pa.Table.from_pylist(list(queries)))
    rows = [dict(zip(("query-id", "corpus-id", "score"), row, strict=True)) for row in qrels]
    write(directory / "qrels/train-00000-of-00001.parquet", pa.Table.from_pylist(rows))
    return list(visrag.read(Raw(directory, "charts", "r1", {"scenario": "chart"} | options)))


def of(records: list[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def reasons(records: list[Record]) -> list[tuple[str, str]]:
    return [(left.kind, left.reason) for left in of(records, Excluded)]


def total(records: list[Record], kind: str) -> int:
    return sum(rows.total for rows in of(records, Rows) if rows.kind == kind)


def test_a_picture_is_a_source_without_text(tmp_path: Path) -> None:
    records = read(tmp_path, [("a.png", picture(1, (120, 80)))])
    assert of(records, Document) == [Document("charts/a.png", "a.png", {"width": 120, "height": 80}, [])]
    assert total(records, "document") == 1


def test_a_query_finds_the_picture_that_qrels_name(tmp_path: Path) -> None:
    (question,) = of(read(tmp_path), Question)
    assert (question.item, question.about, question.session) == ("queries[0]", "q1", None)
    assert [(gold.source_id, gold.region) for gold in question.gold] == [("charts/a.png", {})]
    assert (question.answer, question.answer_format, question.scenario) == (["1999", "in 1999"], "list", "chart")


def test_an_answer_may_be_a_text(tmp_path: Path) -> None:
    (question,) = of(read(tmp_path, queries=[QUERY | {"answer": "1999"}]), Question)
    assert (question.answer, question.answer_format) == ("1999", "str")


def test_several_pictures_are_all_gold_and_a_score_of_0_is_none(tmp_path: Path) -> None:
    (question,) = of(read(tmp_path, qrels=[("q1", "b.png", 1), ("q1", "c.png", 0), QREL, QREL]), Question)
    assert [gold.source_id for gold in question.gold] == ["charts/b.png", "charts/a.png"]
    assert [gold.relevance for gold in question.gold] == [UNSET, UNSET]


def test_grades_are_kept_where_upstream_grades(tmp_path: Path) -> None:
    (question,) = of(read(tmp_path, qrels=[("q1", "b.png", 2), QREL]), Question)
    assert [(gold.source_id, gold.relevance) for gold in question.gold] == [("charts/b.png", 2), ("charts/a.png", 1)]


def test_ids_are_joined_without_blanks_whatever_their_type(tmp_path: Path) -> None:
    (question,) = of(read(tmp_path, queries=[QUERY | {"query-id": 17}], qrels=[("17 ", " a.png", 1)]), Question)
    assert (question.about, question.gold[0].source_id) == ("17", "charts/a.png")


@pytest.mark.parametrize(
    ("query", "qrels", "reason"),
    [
        ({"query-id": " "}, [QREL], "no_query_id"),
        ({"query": "\n"}, [QREL], "no_question"),
        ({"query": None}, [QREL], "no_question"),
        ({}, [], "no_qrels"),
        ({}, [("q1", "a.png", 0)], "only_zero_scores"),
        ({}, [("q1", "a.png", -1)], "malformed_score"),
        ({}, [("q1", "a.png", 0.5)], "malformed_score"),
        ({}, [("q1", "a.png", float("nan"))], "malformed_score"),
        ({}, [("q1", "a.png", float("inf"))], "malformed_score"),
        ({}, [("q1", "a.png", None), ("q1", "b.png", 1)], "malformed_score"),
        ({}, [QREL, ("q1", "a.png", 0)], "contradicting_scores"),
        ({}, [("q1", "z.png", 1)], "missing_document"),
        ({}, [QREL, ("q1", "z.png", 1)], "missing_document"),
        ({}, [("q1", "z.png", 0)], "only_zero_scores"),
        ({}, [("q1", "z.png", 1), ("q1", "z.png", 0)], "contradicting_scores"),
    ],
)
def test_what_is_kept_out(tmp_path: Path, query: dict[str, Any], qrels: list[Any], reason: str) -> None:
    # A second query, which is fine, gives the qrels file its columns.
    fine = {"query-id": "q9", "query": "And the trough?", "answer": ["2004"]}
    records = read(tmp_path, queries=[QUERY | query, fine], qrels=[*qrels, ("q9", "b.png", 1)])
    first = of(records, Excluded)[0]
    assert (first.kind, first.item, first.reason) == ("question", "queries[0]", reason)
    assert [question.about for question in of(records, Question)] == ["q9"]
    assert total(records, "question") == len(of(records, Excluded)) + 1


def test_an_unjudged_zero_pair_need_not_be_at_hand(tmp_path: Path) -> None:
    assert reasons(read(tmp_path, qrels=[QREL, ("q1", "z.png", 0)])) == []


def test_a_query_id_listed_twice_loses_both_rows(tmp_path: Path) -> None:
    records = read(tmp_path, queries=[QUERY, QUERY | {"query": "Which year had the trough?"}])
    assert reasons(records) == [("question", "query_listed_twice")] * 2


def test_judgements_without_a_query_are_counted(tmp_path: Path) -> None:
    records = read(tmp_path, qrels=[QREL, ("q2", "a.png", 1), ("q2", "b.png", 1)])
    assert [(left.item, left.reason) for left in of(records, Excluded)] == [("qrels/q2", "no_query")]
    assert total(records, "question") == 2


def test_a_set_whose_questions_a_model_wrote_keeps_its_pictures_only(tmp_path: Path) -> None:
    records = read(tmp_path, model_made=True)
    assert reasons(records) == [("question", "model_made")]
    assert len(of(records, Document)) == 3


def test_pictures_of_equal_bytes_are_one(tmp_path: Path) -> None:
    corpus = [("a.png", picture(1)), ("b.png", picture(2)), ("copy of a.png", picture(1))]
    records = read(tmp_path, corpus, qrels=[("q1", "copy of a.png", 1), ("q1", "b.png", 1)])
    assert [document.title for document in of(records, Document)] == ["a.png", "b.png"]
    assert [(left.reason, left.detail) for left in of(records, Excluded)] == [
        ("duplicate_image", "copy of a.png, as a.png")
    ]
    assert of(records, Resolved) == [Resolved("queries[0]", "duplicate_image", "corpus-id", "copy of a.png", "a.png")]
    assert [gold.source_id for gold in of(records, Question)[0].gold] == ["charts/a.png", "charts/b.png"]


def test_rows_that_are_no_pictures(tmp_path: Path) -> None:
    broken = {"bytes": b"\x89PNG cut", "path": None}
    corpus = [
        ("a.png", picture(1)),
        ("a.png", picture(2)),
        (" ", picture(3)),
        (None, picture(4)),
        ("n.png", None),
        ("p.png", {"bytes": None, "path": "p.png"}),
        ("x.png", broken),
    ]
    records = read(tmp_path, corpus, qrels=[("q1", "x.png", 1)])
    assert reasons(records) == [
        ("document", "document_listed_twice"),
        ("document", "no_document_id"),
        ("document", "no_document_id"),
        ("document", "no_image"),
        ("document", "no_image"),
        ("document", "unreadable_image"),
        ("question", "missing_document"),
    ]
    assert total(records, "document") == 7


def test_the_corpus_is_never_in_memory_as_a_whole(tmp_path: Path) -> None:
    noise = [(f"{number}.png", noisy(number)) for number in range(60)]
    read(tmp_path, noise, qrels=[("q1", "0.png", 1)])
    size = (tmp_path / "corpus/train-00000-of-00002.parquet").stat().st_size
    before = pa.total_allocated_bytes()
    documents, peak = 0, 0
    for record in visrag.read(Raw(tmp_path, "charts", "r1", {"scenario": "chart"})):
        documents += isinstance(record, Document)
        peak = max(peak, pa.total_allocated_bytes() - before)
    assert documents == 60
    assert 0 < peak < size / 2


def test_a_cut_shard_is_named(tmp_path: Path) -> None:
    write_corpus(tmp_path, [("a.png", picture(1))])
    (tmp_path / "corpus/train-00001-of-00002.parquet").write_bytes(b"PAR1 cut")
    with pytest.raises(BenchError, match=r"corpus/train-00001-of-00002\.parquet is not parquet"):
        list(visrag.read(Raw(tmp_path, "charts", "r1", {"scenario": "chart"})))


def test_a_second_shard_continues_the_first(tmp_path: Path) -> None:
    write_corpus(tmp_path, [("d.png", picture(4))], shard=1)
    records = read(tmp_path)
    assert [document.title for document in of(records, Document)] == ["a.png", "b.png", "c.png", "d.png"]
    assert total(records, "document") == 4


def test_what_the_adapter_cannot_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"`scenario` is 'poster'; allowed: chart, "):
        read(tmp_path, scenario="poster")
    write(tmp_path / "qrels/train-00000-of-00001.parquet", pa.table({"query-id": ["q1"], "score": [1]}))
    with pytest.raises(BenchError, match=r"qrels/train-00000-of-00001\.parquet lacks the columns corpus-id"):
        list(visrag.read(Raw(tmp_path, "charts", "r1", {"scenario": "chart"})))
    (tmp_path / "qrels/train-00000-of-00001.parquet").unlink()
    with pytest.raises(BenchError, match=r"no qrels/\*\.parquet"):
        list(visrag.read(Raw(tmp_path, "charts", "r1", {"scenario": "chart"})))


@pytest.mark.parametrize("name", ["arxivqa", "chartqa", "infovqa", "mp-docvqa", "plotqa", "slidevqa"])
def test_each_set_of_the_registry_has_options_that_the_adapter_takes(name: str, tmp_path: Path) -> None:
    source = load_source(f"visrag-{name}")
    assert {file.path.split("/")[0] for file in source.files} == {"corpus", "queries", "qrels"}
    assert not source.pinned
    records = read(tmp_path, **source.options)
    assert len(of(records, Question)) == (0 if name == "arxivqa" else 1)
