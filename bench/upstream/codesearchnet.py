"""CodeSearchNet (github/CodeSearchNet): functions of public repositories, judged by people for 99 web queries.

source, unit  a row of the shards `<language>/final/jsonl/<part>/*.jsonl.gz`, `<dataset>/<url without its host>`:
              the url is upstream's nearest to a key, and its commit is the revision (`sha` is unused upstream and may
              be empty). Its text is its code without its docstring, which asks
region        `{path, symbol}`; `{path, line}` where a name repeats within a file, or a function has none
holder        the language, `<dataset>:python`: upstream asks each query over all functions of one language, and
              its gold spans repositories
observed_at, as_of  assigned: upstream states none
scenario      judged_query: (language, query) of annotationStore.csv, in lower case as upstream evaluates them. Gold is
              every function whose mean relevance over its annotators is above 0, graded by that mean; where they
              disagree, the mean is listed as resolved, beside the judgements
              docstring: the first sentence of a row's docstring, by the rules of `docstrings`; gold is its function
unanswerable  none: a query without a positive judgement was only not answered by what people were shown

The option `parts` (default: test) names the parts that are read, of train, valid and test.

Rows of questions are the judgements and the docstrings. A query is counted at the first of its judgements that is at
hand; the others are listed as `judgement_of_a_kept_query`. Kept out: `no_positive_judgement` in that language;
`missing_document`, where the function, or each that is relevant, is not at hand; of the shards, as document and
question, `no_url` (none that names commit and lines: the older key set), `url_repeats`, and
`docstring_not_separable` (the text of a Python docstring is not found in its code, so that it would leak).
"""

import csv
import gzip
import json
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from statistics import fmean
from typing import Any, NamedTuple

from bench.errors import BenchError
from bench.records import Gold, Region
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows
from bench.upstream.docstrings import questions

SCENARIOS = ("judged_query", "docstring")
ASSIGNED = ("observed_at", "as_of")
PARTS = ("train", "valid", "test")
_HOST = "https://github.com/"
_URL = re.compile(rf"{_HOST}[^/]+/[^/]+/blob/[0-9a-f]{{40}}/(?P<path>.+)#L(?P<start>\d+)-L(?P<end>\d+)", re.ASCII)
_KEYS = {"language", "func_name", "code", "docstring"}
_COLUMNS = ["Language", "Query", "GitHubUrl", "Relevance", "Notes"]


class Function(NamedTuple):
    """A kept row of the shards, without its code: what questions need of it. Lines are 1-based and inclusive."""

    item: str
    language: str
    path: str
    symbol: str
    start: int
    end: int
    docstring: str


class Judgement(NamedTuple):
    """A row of annotationStore.csv."""

    item: str
    url: str
    relevance: int


def read(raw: Raw) -> Iterator[Record]:
    """Every function of the chosen parts with its docstring's question, then every judgement."""
    functions: dict[str, Function] = {}
    total = 0
    for item, row in _rows(raw):
        total += 1
        function = _function(item, row, functions)
        if isinstance(function, str):
            yield Excluded("document", item, function, str(row.get("url")))
            yield Excluded("question", item, function, str(row.get("url")))
        else:
            functions[row["url"]] = function
    yield Rows("document", total)
    yield Rows("question", total)
    addresses = _addresses(raw.dataset, functions)
    # Read twice rather than kept: a part may hold 1.9 million functions.
    for item, row in _rows(raw):
        if (kept := functions.get(row.get("url", ""))) and kept.item == item:
            yield _document(raw.dataset, kept, addresses[row["url"]], _code(row) or "")
    yield from _docstring_questions(raw.dataset, functions, addresses)
    yield from _judged_questions(raw, functions, addresses)


def _rows(raw: Raw) -> Iterator[tuple[str, dict[str, Any]]]:
    """(`<shard>/<row>`, row) of every shard of the chosen parts."""
    parts = raw.options.get("parts", ["test"])
    if not isinstance(parts, list) or not parts or not set(parts) <= set(PARTS):
        raise BenchError(f"{raw.dataset}: parts is {parts!r}; allowed: a list of {', '.join(PARTS)}")
    shards = sorted(shard for part in parts for shard in raw.directory.glob(f"*/final/jsonl/{part}/*.jsonl.gz"))
    for shard in shards:
        name = shard.relative_to(raw.directory).as_posix()
        try:
            with gzip.open(shard) as lines:
                for number, line in enumerate(lines):
                    row = json.loads(line)
                    if missing := _KEYS - row.keys():
                        raise BenchError(f"{raw.dataset}: {name}/{number} lacks {', '.join(sorted(missing))}")
                    yield f"{name}/{number}", row
        except (ValueError, EOFError, OSError, zlib.error) as error:
            raise BenchError(f"{raw.dataset}: {name} is no gzip file of JSON lines: {error}; fetch it again") from None


def _function(item: str, row: dict[str, Any], seen: dict[str, Function]) -> Function | str:
    """The function of a row, or the reason why it is kept out."""
    address = _URL.fullmatch(row.get("url") or "")
    if not address:
        return "no_url"
    if row["url"] in seen:
        return "url_repeats"
    if _code(row) is None:
        return "docstring_not_separable"
    start, end = int(address["start"]), int(address["end"])
    return Function(item, row["language"], address["path"], row["func_name"], start, end, row["docstring"])


def _code(row: dict[str, Any]) -> str | None:
    """The code without its docstring; None where a Python docstring is not found in it.

    Upstream cuts the quotes off a Python docstring and keeps its text as it stands. Other languages comment before the
    function, outside `code`.
    """
    code: str = row["code"]
    docstring = row["docstring"].strip()
    if row["language"] != "python" or not docstring:
        return code
    literal = re.compile(r"""[rbuRBU]{0,2}["']{1,3}\s*""" + re.escape(docstring) + r"""\s*["']{1,3}""")
    cut, found = literal.subn("", code, count=1)
    return cut if found else None


def _addresses(dataset: str, functions: dict[str, Function]) -> dict[str, Gold]:
    """{url: the source and region that it is here}."""
    definitions = Counter((url.partition("#L")[0], function.symbol) for url, function in functions.items())
    addresses = {}
    for url, function in functions.items():
        region: Region = {"path": function.path, "symbol": function.symbol}
        if not function.symbol or definitions[url.partition("#L")[0], function.symbol] > 1:
            region = {"path": function.path, "line": function.start}
        addresses[url] = Gold(f"{dataset}/{url.removeprefix(_HOST)}", region)
    return addresses


def _document(dataset: str, function: Function, address: Gold, code: str) -> Document:
    symbol = function.symbol or "<anonymous>"
    return Document(
        source_id=address.source_id,
        title=f"{symbol} ({function.path})",
        extent={
            "symbols": [
                {"path": function.path, "symbol": symbol, "line_start": function.start, "line_end": function.end}
            ]
        },
        units=[(address.region, code)],
        holder=f"{dataset}:{function.language}",
    )


def _docstring_questions(dataset: str, functions: dict[str, Function], addresses: dict[str, Gold]) -> Iterator[Record]:
    by_language: dict[str, dict[str, str | None]] = defaultdict(dict)
    for url, function in functions.items():
        by_language[function.language][url] = function.docstring
    for language, docstrings in by_language.items():
        holder = f"{dataset}:{language}"
        for url, (sentence, reason) in questions(docstrings).items():
            item, about = functions[url].item, url.removeprefix(_HOST)
            if reason:
                yield Excluded("question", item, reason, sentence)
            else:
                yield _question(item, about, holder, sentence, [addresses[url]], "docstring")


def _question(item: str, about: str, holder: str, text: str, gold: list[Gold], scenario: str) -> Question:
    return Question(
        item=item,
        about=about,
        question=text,
        answer=None,
        answer_format="none",
        gold=gold,
        scenario=scenario,
        holder=holder,
    )


def _judgements(raw: Raw) -> dict[tuple[str, str], list[Judgement]]:
    """{(language, query): its rows}. Notes may run over several lines, so rows are the csv reader's."""
    name = "annotationStore.csv"
    judgements: dict[tuple[str, str], list[Judgement]] = defaultdict(list)
    with raw.path(name).open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != _COLUMNS:
            raise BenchError(f"{raw.dataset}: {name} has columns {reader.fieldnames}; expected {_COLUMNS}")
        for number, row in enumerate(reader):
            if row["Relevance"] not in ("0", "1", "2", "3"):
                raise BenchError(f"{raw.dataset}: {name}/{number} has relevance {row['Relevance']!r}; allowed: 0 to 3")
            judgement = Judgement(f"{name}/{number}", row["GitHubUrl"], int(row["Relevance"]))
            judgements[row["Language"].lower(), row["Query"].lower()].append(judgement)
    return judgements


def _judged_questions(raw: Raw, functions: dict[str, Function], addresses: dict[str, Gold]) -> Iterator[Record]:
    queries = _judgements(raw)
    yield Rows("question", sum(map(len, queries.values())))
    for (language, query), judgements in queries.items():
        by_url: dict[str, list[int]] = defaultdict(list)
        for judgement in judgements:
            by_url[judgement.url].append(judgement.relevance)
        here = {url for url in by_url if url in functions and functions[url].language == language}
        gold = [
            Gold(addresses[url].source_id, addresses[url].region, fmean(grades))
            for url, grades in sorted(by_url.items())
            if url in here and any(grades)
        ]
        kept = next((judgement for judgement in judgements if gold and judgement.url in here), None)
        if kept:
            yield _question(kept.item, language, f"{raw.dataset}:{language}", query, gold, "judged_query")
            for url in sorted(url for url in here if len(set(by_url[url])) > 1):
                yield Resolved(kept.item, "mean_of_annotators", f"relevance of {url}", by_url[url], fmean(by_url[url]))
        positive = any(any(grades) for grades in by_url.values())
        for judgement in judgements:
            if judgement != kept:
                reason = _left_out(positive, judgement.url in here, bool(kept))
                yield Excluded("question", judgement.item, reason, f"{query}: {by_url[judgement.url]} {judgement.url}")


def _left_out(positive: bool, here: bool, kept: bool) -> str:
    if not positive:
        return "no_positive_judgement"
    return "judgement_of_a_kept_query" if here and kept else "missing_document"
