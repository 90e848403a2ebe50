"""`bench diff --md`: the comparison as a comment on a pull request, never longer than a comment may be.

Blocks are cut by whole rows, the less important first, each with a count of what it leaves out. Tables and <details>
are always closed. Text that is not ours (questions, ids, names) is written so that it can only be read: see `plain`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bench.diff.escape import code, plain, shortened
from bench.diff.markdown_queries import flip_blocks, label_blocks
from bench.diff.model import Comparison, Part, Row, Split
from bench.diff.pieces import (
    ALL_ROWS,
    BY_MODALITY,
    CAUSES,
    CLOSING,
    RESULTS,
    Block,
    counted,
    header,
    line,
    opening,
    stacked,
    together,
)
from bench.diff.words import (
    ALL,
    HOW_TO_READ,
    OUTCOMES,
    RESCORED_COLUMNS,
    corpus_text,
    flips_text,
    grouped,
    interval_text,
    latency_texts,
    p_text,
    record_texts,
    rescored_cells,
    row_counts,
    signed,
    state_name,
    system_and_split,
    top_rows,
    verdict,
    worst,
)

MARKER = "<!-- evidence-bench:diff -->"
LIMIT = 65_000
SENTENCE_CHARACTERS = 2_000
CAUSE_DIGITS = 4


def render(comparisons: Sequence[Comparison], limit: int = LIMIT) -> str:
    """The comment, at most `limit` characters. ValueError where not even its sentences fit."""
    parts = [part for comparison in comparisons for part in _suite(comparison)]
    head = [MARKER, f"## evidence-bench: {OUTCOMES[worst(comparisons)]}"]
    parts = ["\n".join(head), *parts, f"<sub>{HOW_TO_READ}</sub>"]
    blocks = [part for part in parts if isinstance(part, Block)]
    room = limit - len(_text(parts))
    if room < 0:
        raise ValueError(
            f"a comment of these comparisons takes at least {limit - room:,} characters, allowed: {limit:,}"
        )
    for priority in sorted({block.priority for block in blocks}):
        room = _fill([block for block in blocks if block.priority == priority], room)
    return _text(parts)


def _text(parts: Iterable[str | Block]) -> str:
    return "\n\n".join(filter(None, map(str, parts))) + "\n"


def _fill(blocks: Sequence[Block], room: int) -> int:
    """Give the blocks rows in turn while there is room; what is left of it."""
    hungry = list(blocks)
    while hungry:
        for block in tuple(hungry):
            grown = block.take(room)
            if grown is None:
                hungry.remove(block)
            else:
                room -= grown
    return room


def _suite(comparison: Comparison) -> Iterator[str | Block]:
    old = state_name(comparison.old_name, comparison.old)
    new = state_name(comparison.new_name, comparison.new)
    yield f"### {code(comparison.suite)}: {plain(old)} → {plain(new)}"
    if comparison.headline:
        yield f"**{plain(shortened(comparison.headline, SENTENCE_CHARACTERS))}**"
    yield _notes(comparison)
    yield from _gates(comparison)
    yield from _results(comparison)
    yield row_counts(comparison)
    yield from _causes(comparison)
    yield from label_blocks(comparison.labels)
    yield _corpus(comparison)
    yield _rescored(comparison)
    yield _latency(comparison)
    yield from flip_blocks(comparison.flips)
    yield _all_rows(comparison)


def _notes(comparison: Comparison) -> Block:
    rows = [f"> {plain(shortened(note, SENTENCE_CHARACTERS))}  " for note in comparison.notes]
    return Block(RESULTS, "notes", ["> **Note**  "], rows)


def _gates(comparison: Comparison) -> Iterator[Block]:
    rows = [
        line(f"**{gate.outcome}**" if gate.outcome != "pass" else "pass", code(gate.rule), plain(gate.detail))
        for gate in sorted(comparison.gates, key=lambda gate: gate.outcome == "pass")
    ]
    yield Block(RESULTS, "gates", header("gate", "rule", "found"), rows)


def _results(comparison: Comparison) -> Iterator[Block]:
    """Over all modalities a table a system, open where anything changed; the modalities that changed, folded."""
    for system, rows in grouped(top_rows(comparison), system_and_split):
        over_all, others = ([row for row in rows if (row.modality == ALL) is side] for side in (True, False))
        head = header("all modalities", *_COLUMNS[1:], right=range(1, 6))
        lines = [line(*_result(row)) for row in over_all]
        if any(row.status != "same" for row in rows):
            yield Block(RESULTS, f"rows of {plain(system)}", [f"**{plain(system)}**", "", *head], lines)
        else:
            head = [*opening(f"{system}: nothing changed in {counted(rows, 'row')}"), *head]
            yield Block(BY_MODALITY, f"unchanged rows of {plain(system)}", head, lines, CLOSING)
        if others:
            better, worse = (sum(row.better is side for row in others) for side in (True, False))
            numbers = f"{counted(others, 'changed row')}, {better:,} better, {worse:,} worse"
            head = [
                *opening(f"{system} by modality: {numbers}"),
                *header("modality", *_COLUMNS, right=range(2, 7)),
            ]
            lines = [line(plain(row.modality), *_result(row)) for row in others]
            yield Block(BY_MODALITY, f"changed rows of {plain(system)} by modality", head, lines, CLOSING)


_COLUMNS = ("measure", "old", "new", "change", "95 % interval", "won / lost / tied")


def _result(row: Row) -> list[str]:
    old, new = (stacked(*side) for side in record_texts(row))
    change = "" if row.change is None else signed(row.change)
    return [
        plain(row.measure), old, new, stacked(change, plain(verdict(row))),
        stacked(together(interval_text(row)), together(plain(p_text(row)))), together(flips_text(row)),
    ]  # fmt: skip


def _causes(comparison: Comparison) -> Iterator[Block]:
    """Why, a row a change: over all modalities it stands open, by modality it is folded, a table a system."""
    moved = [split for split in comparison.splits if split.change or any(part.change for part in split.parts)]
    over_all = [split for split in moved if split.modality == ALL]
    causes = _moving(over_all)
    head = [
        "**Why?** The parts sum to the change; in brackets how many there are.",
        "",
        *_cause_header("system", causes),
    ]
    lines = [line(_system(split), *_cause(split, causes)) for split in over_all]
    yield Block(CAUSES, "changes over all modalities by cause", head, lines)
    for system, splits in grouped((split for split in moved if split.modality != ALL), system_and_split):
        causes = _moving(splits)
        head = [*opening(f"Why, {system} by modality: {counted(splits, 'change')}"), *_cause_header("modality", causes)]
        lines = [line(plain(split.modality), *_cause(split, causes)) for split in splits]
        yield Block(BY_MODALITY, f"changes of {plain(system)} by modality and cause", head, lines, CLOSING)


def _moving(splits: Iterable[Split]) -> dict[str, str]:
    """{cause: head of its column}, of the causes of which anything changed. The head says what the cells count."""
    parts = [part for split in splits for part in split.parts if part.change or part.n]
    return {
        cause: "<br>".join(map(plain, filter(None, dict.fromkeys((cause, *(part.what for part in found))))))
        for cause, found in grouped(parts, lambda part: part.cause)
    }


def _cause_header(first: str, causes: Mapping[str, str]) -> list[str]:
    return header(first, "measure", "change", *causes.values(), "shared queries", right=range(2, len(causes) + 4))


def _cause(split: Split, causes: Iterable[str]) -> list[str]:
    parts = {part.cause: part for part in split.parts}
    cells = [_part(parts[cause]) if cause in parts else "" for cause in causes]
    return [plain(split.measure), signed(split.change, CAUSE_DIGITS), *cells, f"{split.shared:,}"]


def _part(part: Part) -> str:
    change = signed(part.change, CAUSE_DIGITS)
    return together(f"{change} ({part.n:,})") if part.n else change


def _corpus(comparison: Comparison) -> str:
    said = corpus_text(comparison)
    return f"**Corpus:** {plain(said)}" if said else ""


def _rescored(comparison: Comparison) -> Block:
    head = [*opening("What either run scores under either side's labels"), *header(*RESCORED_COLUMNS)]
    rows = [line(*map(plain, rescored_cells(item))) for item in comparison.rescored]
    return Block(CAUSES, "rescored rows", head, rows, CLOSING)


def _latency(comparison: Comparison) -> str:
    lines = [f"- {plain(text)}" for text in latency_texts(comparison)]
    return "\n".join(["**Latency**, reported and never gated:", "", *lines]) if lines else ""


def _all_rows(comparison: Comparison) -> Block:
    rows = [
        line(
            plain(row.system), plain(row.modality), plain(row.split), plain(row.measure),
            *(" of ".join(filter(None, side)) for side in record_texts(row)),
            "" if row.change is None else signed(row.change),
        )
        for row in comparison.rows
    ]  # fmt: skip
    columns = ("system", "modality", "split", "measure", "old", "new", "change")
    head = [*opening(f"All {len(rows):,} rows"), *header(*columns, right=range(4, 7))]
    return Block(ALL_ROWS, "rows in the full table", head, rows, CLOSING, whole=True)


def _system(item: Row | Split) -> str:
    return f"{code(item.system)}, {plain(item.split)}"
