"""VisRAG-Ret-Test (openbmb/VisRAG-Ret-Test-*): questions whose evidence is one or more pictures. Parquet, six sets.

source      a row of corpus/, `<dataset>/<corpus-id>` (the id is a file name); extent from the image's header. There
            is no text: no units
gold        the pictures that qrels/ score above 0 for the query, `{}`; graded only where some score is above 1
query       a row of queries/, asked of all pictures of its holder. The only split is called train; it is the test set
answer      a text, or a list of texts that are alternatives of one answer
scenario    option `scenario` of the registry entry: what the pictures are
holder, observed_at, as_of  assigned: upstream states none
unanswerable  none: only scores of 0 say that what was judged does not answer

The corpus is read row group by row group and never whole: a set has gigabytes of images. Pictures of equal bytes
are one picture: the first stays, the others are kept out (`duplicate_image`) and a query that names one of them is
resolved to the first.

Kept out, label faults before missing documents: all queries of a set with option `model_made` (ArxivQA: a model wrote
the questions; its pictures stay); `no_query_id`; `query_listed_twice`; `no_question`; `no_qrels`; `malformed_score`
(not a whole number from 0 up); `contradicting_scores` (one pair, several scores); `only_zero_scores`;
`missing_document` (some gold picture is not in the corpus). The judgements of a query that is in no row count as a
question, kept out (`no_query`). Documents: `no_document_id`, `document_listed_twice`, `no_image`, `unreadable_image`.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import UNSET

from bench.errors import BenchError
from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows
from bench.upstream.images import image_size

SCENARIOS = ("chart", "document_page", "figure", "infographic", "plot", "slide")
ASSIGNED = ("holder", "observed_at", "as_of")
_IMAGES_AT_ONCE = 16
_ROWS_AT_ONCE = 4096
# {query-id: {corpus-id: every score that a row gives the pair}}
Judgements = dict[str, dict[str, list[Any]]]


def read(raw: Raw) -> Iterator[Record]:
    """Every picture, then every query."""
    scenario = raw.options.get("scenario")
    if scenario not in SCENARIOS:
        raise BenchError(f"{raw.dataset}: option `scenario` is {scenario!r}; allowed: {', '.join(SCENARIOS)}")
    pictures: dict[str, str] = {}
    yield from _corpus(raw, pictures)
    judgements = _judgements(raw)
    graded = _graded(judgements)
    queries = list(_rows(raw, "queries", ("query-id", "query", "answer")))
    times = Counter(_id(row["query-id"]) for row in queries)
    yield Rows("question", len(queries))
    for number, row in enumerate(queries):
        item, judged = f"queries[{number}]", judgements.get(_id(row["query-id"]), {})
        fault = "model_made" if raw.options.get("model_made") else _row_fault(row, times) or _score_fault(judged)
        if fault:
            yield Excluded("question", item, fault, f"{row['query-id']} {dict(judged)}")
        else:
            scores = {corpus_id: int(each[0]) for corpus_id, each in judged.items() if each[0]}
            yield from _question(raw, item, row, scores, pictures, graded)
    unknown = [query_id for query_id in judgements if query_id not in times]
    yield Rows("question", len(unknown))
    for query_id in unknown:
        yield Excluded("question", f"qrels/{query_id}", "no_query", str(dict(judgements[query_id])))


def _judgements(raw: Raw) -> Judgements:
    judgements: Judgements = defaultdict(lambda: defaultdict(list))
    for row in _rows(raw, "qrels", ("query-id", "corpus-id", "score")):
        judgements[_id(row["query-id"])][_id(row["corpus-id"])].append(row["score"])
    return judgements


def _graded(judgements: Judgements) -> bool:
    scores = (score for pairs in judgements.values() for each in pairs.values() for score in each)
    return any(_whole(score) and score > 1 for score in scores)


def _rows(raw: Raw, config: str, columns: tuple[str, ...], at_once: int = _ROWS_AT_ONCE) -> Iterator[dict[str, Any]]:
    """The rows of all shards of a config, in order, `at_once` in memory."""
    for path in _shards(raw, config):
        with _parquet(raw, path) as shard:
            if missing := sorted(set(columns) - set(shard.schema_arrow.names)):
                raise BenchError(f"{raw.dataset}: {config}/{path.name} lacks the columns {', '.join(missing)}")
            for batch in shard.iter_batches(batch_size=at_once, columns=list(columns)):
                yield from batch.to_pylist()


def _count(raw: Raw, config: str) -> int:
    """The rows of a config, as its shards' footers state them."""
    total = 0
    for path in _shards(raw, config):
        with _parquet(raw, path) as shard:
            total += shard.metadata.num_rows
    return total


def _shards(raw: Raw, config: str) -> list[Path]:
    shards = sorted((raw.directory / config).glob("*.parquet"))
    if not shards:
        raise BenchError(
            f"{raw.dataset}: no {config}/*.parquet in {raw.directory.name}; its registry entry must list it"
        )
    return shards


def _parquet(raw: Raw, path: Path) -> Any:
    import pyarrow
    import pyarrow.parquet

    try:
        # With pre_buffer, pyarrow's default, iter_batches holds all row groups of the file at once.
        return pyarrow.parquet.ParquetFile(path, pre_buffer=False)
    except pyarrow.ArrowInvalid as error:
        raise BenchError(f"{raw.dataset}: {path.parent.name}/{path.name} is not parquet: {error}") from None


def _id(value: object) -> str:
    """An id as one string on both sides of a join; empty where there is none."""
    return "" if value is None else str(value).strip()


def _whole(score: object) -> bool:
    """Whether it is 0, 1, 2, ...; 1.0 is 1, since a column of integers with a gap in it is often written as floats."""
    return type(score) in (int, float) and score >= 0 and score % 1 == 0  # type: ignore[operator]


def _corpus(raw: Raw, pictures: dict[str, str]) -> Iterator[Record]:
    """Every picture. Fills `pictures`: {corpus-id: the corpus-id that it is kept under}."""
    yield Rows("document", _count(raw, "corpus"))
    first_of: dict[bytes, str] = {}
    for number, row in enumerate(_rows(raw, "corpus", ("corpus-id", "image"), _IMAGES_AT_ONCE)):
        item, corpus_id = f"corpus[{number}]", _id(row["corpus-id"])
        data = row["image"].get("bytes") if isinstance(row["image"], dict) else None
        if not corpus_id:
            yield Excluded("document", item, "no_document_id")
        elif corpus_id in pictures:
            yield Excluded("document", item, "document_listed_twice", corpus_id)
        elif not data:
            yield Excluded("document", item, "no_image", corpus_id)
        elif (size := image_size(data)) is None:
            yield Excluded("document", item, "unreadable_image", corpus_id)
        else:
            first = pictures[corpus_id] = first_of.setdefault(hashlib.sha256(data).digest(), corpus_id)
            if first != corpus_id:
                yield Excluded("document", item, "duplicate_image", f"{corpus_id}, as {first}")
                continue
            extent = {"width": size[0], "height": size[1]}
            yield Document(f"{raw.dataset}/{corpus_id}", corpus_id, extent, units=[])


def _row_fault(row: dict[str, Any], times: Counter[str]) -> str:
    query_id = _id(row["query-id"])
    if not query_id:
        return "no_query_id"
    if times[query_id] > 1:
        return "query_listed_twice"
    return "" if (row["query"] or "").strip() else "no_question"


def _score_fault(judged: dict[str, list[Any]]) -> str:
    if not judged:
        return "no_qrels"
    if not all(_whole(score) for scores in judged.values() for score in scores):
        return "malformed_score"
    if any(len(set(scores)) > 1 for scores in judged.values()):
        return "contradicting_scores"
    return "" if any(scores[0] for scores in judged.values()) else "only_zero_scores"


def _question(
    raw: Raw, item: str, row: dict[str, Any], scores: dict[str, int], pictures: dict[str, str], graded: bool
) -> Iterator[Record]:
    query_id, answer = _id(row["query-id"]), row["answer"]
    if missing := [corpus_id for corpus_id in scores if corpus_id not in pictures]:
        yield Excluded("question", item, "missing_document", f"{query_id} {missing}")
        return
    gold: dict[str, int] = {}
    for corpus_id, score in scores.items():
        kept = pictures[corpus_id]
        gold[kept] = max(score, gold.get(kept, 0))
        if kept != corpus_id:
            yield Resolved(item, "duplicate_image", "corpus-id", corpus_id, kept)
    yield Question(
        item=item,
        about=query_id,
        question=row["query"],
        answer=answer,
        answer_format="none" if answer is None else "list" if isinstance(answer, list) else "str",
        gold=[Gold(f"{raw.dataset}/{kept}", {}, score if graded else UNSET) for kept, score in gold.items()],
        scenario=raw.options["scenario"],
    )
