"""The sentences on top of a comparison: what the headline measure did over all modalities, and why."""

from collections.abc import Iterator, Sequence

from bench.diff.causes import sentence
from bench.diff.model import Row, Split


def headline(measure: str, rows: Sequence[Row], splits: Sequence[Split]) -> str:
    """One sentence a system and split, in the order of the rows; of what did not change, one for all."""
    said = {(split.system, split.split): split.sentence for split in splits if _is_over_all(split, measure)}
    over_all = [row for row in rows if _is_over_all(row, measure)]
    sentences = [f"{row.system}, {row.split}: {_said(row, said)}" for row in over_all if row.status != "same"]
    same = [f"{row.system} ({row.split}, {row.new['of']})" for row in over_all if row.status == "same" and row.new]
    if same:
        sentences.append(f"{measure} is the same for {', '.join(same)}.")
    return " ".join(sentences or _elsewhere(measure, rows))


def _is_over_all(item: Row | Split, measure: str) -> bool:
    return (item.modality, item.measure) == ("all", measure)


def _said(row: Row, said: dict[tuple[str, str], str]) -> str:
    if (row.system, row.split) in said:
        return said[row.system, row.split]
    if row.change is not None:
        return sentence(row.measure, row.change, [])
    record = row.new or row.old
    of = f", {record['value']:.4f} ({record['of']})" if record else ""
    return f"{row.measure} is {row.status.replace('_', ' ')}{of}: {row.why}."


def _elsewhere(measure: str, rows: Sequence[Row]) -> Iterator[str]:
    changed = sum(row.status != "same" for row in rows)
    yield f"{measure} is not measured over all modalities; of the other rows {changed:,} changed."
