"""The blocks of a comment that list queries: whose labels changed, and whose score did."""

from collections.abc import Iterator, Sequence

from bench.diff.escape import code, plain, shortened
from bench.diff.model import Flip, LabelChange
from bench.diff.pieces import CLOSING, FLIPS, LABELS, Block, header, line, opening
from bench.diff.words import grouped, value_text, values

CHARACTERS = 200
# How many ids of a kind of label change, and how many gold regions and hits of a flip, are written out.
FIRST_IDS, FIRST_HITS = 20, 3


def label_blocks(labels: Sequence[LabelChange]) -> Iterator[str | Block]:
    """The counts by kind, and the first of each kind with their fields, folded."""
    by_kind = dict(grouped(labels, lambda label: label.kind))
    if by_kind:
        yield f"**Labels:** {', '.join(f'{len(found):,} {plain(kind)}' for kind, found in by_kind.items())}"
    for kind, found in by_kind.items():
        head = [*opening(f"{len(found):,} {kind}"), *header("query", "modality", "what changed")]
        rows = [_label(label) for label in found[:FIRST_IDS]]
        yield Block(LABELS, f"{plain(kind)} queries", head, rows, CLOSING, len(found) - len(rows))


def _label(label: LabelChange) -> str:
    ids = " → ".join(map(code, dict.fromkeys((label.before_id, label.query_id))))
    fields = [f"{plain(name)}: {_text(old)} → {_text(new)}" for name, (old, new) in label.fields.items()]
    return line(ids, plain(label.modality), "<br>".join(filter(None, (*fields, plain(label.why)))))


def _text(value: object) -> str:
    return plain(shortened(value_text(value), CHARACTERS))


def flip_blocks(flips: Sequence[Flip]) -> Iterator[Block]:
    """The queries whose score changed, folded, a table a system."""
    columns = ("query", "measure", "old → new", "question", "gold", "old hits", "new hits")
    for system, found in grouped(flips, lambda flip: flip.system):
        head = [*opening(f"{len(found):,} queries whose score changed, {system}"), *header(*columns)]
        yield Block(FLIPS, f"changed queries of {code(system)}", head, list(map(_flip, found)), CLOSING)


def _flip(flip: Flip) -> str:
    return line(
        code(flip.query_id),
        plain(flip.measure),
        " → ".join(values(flip.old, flip.new)),
        plain(shortened(flip.question, CHARACTERS)),
        *map(_first, (flip.gold, flip.old_hits, flip.new_hits)),
    )


def _first(items: Sequence[str]) -> str:
    shown = [code(shortened(item, CHARACTERS)) for item in items[:FIRST_HITS]]
    if len(items) > FIRST_HITS:
        shown.append(f"and {len(items) - FIRST_HITS:,} more")
    return "<br>".join(shown) or "none"
