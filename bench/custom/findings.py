"""What the check finds: the rules by name, and a collector that keeps findings in a stable order.

A finding is printed as `CODE name file:line found; allowed: what is`. Codes E3.. are errors, which refuse a score, and
W3.. are warnings, which are counted.
"""

from collections import Counter
from typing import NamedTuple


class Rule(NamedTuple):
    """A rule of the format. `allowed` says what it asks for."""

    code: str
    allowed: str

    @property
    def is_error(self) -> bool:
        """Whether a data set that breaks the rule is refused."""
        return self.code.startswith("E")


RULES = {
    # files
    "missing_file": Rule("E301", "corpus.jsonl, queries.jsonl, and qrels.jsonl or qrels/<split>.tsv, all of them"),
    "empty_file": Rule("E302", "at least one line of data"),
    "split_twice": Rule("E303", "one file a split; qrels.jsonl is split test"),
    "bom": Rule("E304", "UTF-8 without a byte order mark: most readers take it for part of the first name"),
    "not_utf8": Rule("E305", "UTF-8; `bench custom convert --encoding` translates"),
    "half_line": Rule("E306", "a whole last line: the file was cut off while it was written or copied"),
    "long_line": Rule("E307", "lines of at most 64 MiB; cut the document into parts"),
    # lines
    "json_array": Rule("E310", "JSON Lines: one object a line, without brackets or commas around them"),
    "invalid_json": Rule("E311", "one strict JSON value a line"),
    "not_object": Rule("E312", "one JSON object a line"),
    "blank_line": Rule("E313", "no blank lines: BEIR's loader stops at one"),
    "tsv_without_header": Rule(
        "E314", "the header `query-id<tab>corpus-id<tab>score`: BEIR skips the first line whatever it holds"
    ),
    "tsv_header": Rule("E315", "the header `query-id<tab>corpus-id<tab>score`, in this order"),
    "tsv_fields": Rule("E316", "three fields between tabs: query-id, corpus-id, score; TREC qrels need converting"),
    "tsv_quote": Rule("E317", "no field that begins with a quote: BEIR takes the lines after it for its inside"),
    # fields
    "field_spelling": Rule("E320", "the names as BEIR spells them: _id, text, title; query-id, corpus-id, score"),
    "unknown_field": Rule("E321", "_id, text, title, metadata; in qrels query-id, corpus-id, score"),
    "missing_field": Rule("E322", "_id and text on every line; in qrels query-id, corpus-id and score"),
    "id_type": Rule("E323", "ids that are strings: loaders that cast disagree on numbers (1.0 is '1' or '1.0')"),
    "id_blank": Rule("E324", "ids that are not empty and have no blanks around them"),
    "text_type": Rule("E325", "texts that are strings; leave a title out that there is not"),
    "empty_query": Rule("E326", "a query with a text"),
    "score_type": Rule("E327", "a score that is a finite number: 0 is judged not relevant, above 0 is a grade"),
    # across lines
    "duplicate_id": Rule("E330", "every id once in its file"),
    "unknown_query": Rule("E331", "judgements of queries that queries.jsonl has"),
    "unknown_document": Rule("E332", "judgements of documents that corpus.jsonl has: no system can find another"),
    "contradiction": Rule("E333", "one score for a query and a document"),
    "no_relevant": Rule("E334", "a score above 0 for every query that a split judges: none can answer it, so it is 0"),
    # warnings
    "duplicate_judgement": Rule("W340", "a query and a document once a split; the repetition is counted once"),
    "fractional_score": Rule("W341", "kept as gains; trec_eval and EvalScope cut them off, MTEB refuses them"),
    "negative_score": Rule("W342", "kept, and read as judged not relevant"),
    "crlf": Rule("W343", "read as LF; the hash of a file changes when a tool converts it"),
    "no_final_newline": Rule("W344", "a newline at the end; compare the file with its source if it was copied"),
    "unread_file": Rule("W345", "only the named files are read"),
    "empty_document": Rule("W346", "a text or a title; a document without words is never found by keywords"),
    "unjudged_query": Rule("W347", "queries that some split judges; others are not evaluated"),
    "shared_id": Rule("W348", "ids that tell queries and documents apart: BEIR drops a hit named like its query"),
    "whitespace_in_id": Rule("W349", "ids without blanks within: TREC text cannot hold them"),
    "duplicate_document": Rule("W350", "every text once: the copy of a relevant document counts as wrong"),
    "duplicate_query": Rule("W351", "every question once, with all its judgements"),
    "few_documents": Rule("W360", "100 documents or more: among fewer, chance finds much"),
    "few_queries": Rule("W361", "50 judged queries or more a split: under fewer, intervals are wide"),
    "no_negatives": Rule("W362", "some judgements of 0: without them, unjudged and not relevant look the same"),
    "no_distractors": Rule("W363", "documents that answer no query, as any search has them"),
    "saturated": Rule("W364", "a set on which recall@10 can rise: add documents or harder queries"),
}

KEPT = 100


class Finding(NamedTuple):
    """A broken rule: where, and what was found. `line` is from 1; 0 means the whole file."""

    rule: str
    file: str
    line: int
    found: str

    def render(self) -> str:
        """The line that is printed."""
        rule = RULES[self.rule]
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{rule.code} {self.rule} {place} {self.found}; allowed: {rule.allowed}"

    def document(self) -> dict[str, str | int]:
        """The finding as JSON."""
        return {"code": RULES[self.rule].code, **self._asdict(), "allowed": RULES[self.rule].allowed}


class Findings:
    """Findings as they come; of each rule in each file the first `kept`, and the count of all."""

    def __init__(self, kept: int | None = KEPT) -> None:
        self.counts: Counter[str] = Counter()
        self.errors = 0
        self.warnings = 0
        self._kept = kept
        self._of_file: Counter[tuple[str, str]] = Counter()
        self._findings: list[Finding] = []

    def add(self, rule: str, file: str, line: int, found: str) -> None:
        """Keep a finding, or count it alone where there are many of its kind."""
        self.counts[rule] += 1
        if RULES[rule].is_error:
            self.errors += 1
        else:
            self.warnings += 1
        self._of_file[rule, file] += 1
        if self._kept is None or self._of_file[rule, file] <= self._kept:
            self._findings.append(Finding(rule, file, line, found))

    def sorted(self) -> list[Finding]:
        """By severity, file, line and code."""
        return sorted(self._findings, key=lambda item: (RULES[item.rule].code[0], item.file, item.line, item))


def shown(value: object) -> str:
    """A value in a message: escaped, so that it can do nothing to a terminal, and cut at 80 characters."""
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
