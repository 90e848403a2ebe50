"""Warnings with figures: what makes a data set's scores hard to read though nothing is broken."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from bench.custom.findings import Findings, shown
from bench.custom.layout import Layout
from bench.custom.splits import Ids, Split

MIN_DOCUMENTS = 100
MIN_QUERIES = 50
_NAMED = 5


def advise(layout: Layout, documents: Ids, queries: Ids, splits: list[Split], findings: Findings) -> None:
    """Add the warnings on a whole data set."""
    corpus, asked = layout.name(layout.corpus), layout.name(layout.queries)
    _sizes(corpus, documents, splits, findings)
    _ids(corpus, asked, documents, queries, findings)
    relevant = _relevant(splits)
    if documents.lines and relevant.keys() >= documents.lines.keys():
        findings.add("no_distractors", corpus, 0, f"each of the {len(documents.lines):,} documents answers some query")
    for copy, original in documents.copies.items():
        touched = sorted({*relevant.get(copy, ()), *relevant.get(original, ())})
        found = _copy("document", copy, original, documents)
        answers = f"relevant to {len(touched)} queries: {_first(touched)}" if touched else "relevant to no query"
        findings.add("duplicate_document", corpus, documents.lines[copy], f"{found}; {answers}")
    for copy, original in queries.copies.items():
        findings.add("duplicate_query", asked, queries.lines[copy], _copy("query", copy, original, queries))
    judged = {query_id for split in splits for query_id in split.scores}
    unjudged = [query_id for query_id in queries.lines if query_id not in judged]
    if splits and unjudged:
        found = f"{len(unjudged):,} of {len(queries.lines):,} queries are judged in no split: {_first(unjudged)}"
        findings.add("unjudged_query", asked, queries.lines[unjudged[0]], found)


def _sizes(corpus: str, documents: Ids, splits: list[Split], findings: Findings) -> None:
    if 0 < len(documents.lines) < MIN_DOCUMENTS:
        findings.add("few_documents", corpus, 0, f"{len(documents.lines)} documents")
    for split in splits:
        if 0 < len(split.scores) < MIN_QUERIES:
            findings.add("few_queries", split.file, 0, f"{len(split.scores)} judged queries")
        if split.judgements and not split.negatives:
            findings.add("no_negatives", split.file, 0, f"none of {split.judgements:,} judgements is 0")


def _ids(corpus: str, asked: str, documents: Ids, queries: Ids, findings: Findings) -> None:
    both = [query_id for query_id in queries.lines if query_id in documents.lines]
    if both:
        found = f"{len(both):,} of {len(queries.lines):,} query ids are document ids too: {_first(both)}"
        findings.add("shared_id", asked, queries.lines[both[0]], found)
    for file, ids in ((corpus, documents), (asked, queries)):
        blank = [name for name in ids.lines if has_whitespace(name)]
        if blank:
            found = f"{len(blank):,} of {len(ids.lines):,} ids have blanks within: {_first(blank)}"
            findings.add("whitespace_in_id", file, ids.lines[blank[0]], found)


def has_whitespace(name: str) -> bool:
    """Whether TREC text, whose fields stand between blanks, cannot hold an id."""
    return name.split() != [name]


def _relevant(splits: Iterable[Split]) -> Mapping[str, set[str]]:
    """The queries that each document answers."""
    answered: dict[str, set[str]] = defaultdict(set)
    for split in splits:
        for query_id in split.scores:
            for doc_id in split.relevant(query_id):
                answered[doc_id].add(query_id)
    return answered


def _copy(kind: str, copy: str, original: str, ids: Ids) -> str:
    return f"{kind} {shown(copy)} has the text of {shown(original)} in line {ids.lines[original]}"


def _first(names: list[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(map(shown, names[:_NAMED])) + more
