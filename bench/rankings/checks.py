"""What every format asks of ids and grades."""

from collections.abc import Sequence

from bench.errors import BenchError
from bench.rankings.groups import Group, Source

IDS_ALLOWED = "ids are non-empty and have no blanks around them"


def check_ids(source: Source, group: Group) -> None:
    """BenchError, with the place, on an id of the query or of a document that is empty or has blanks around it."""
    if not group.query_id or group.query_id.strip() != group.query_id:
        raise BenchError(f"{source.place(group, 0)}: query id {group.query_id!r}; {IDS_ALLOWED}")
    ids = group.doc_ids
    # Most files have no blank in any id: one look at all of them together costs a third of a look at each.
    together = "".join(ids)
    if all(ids) and together.split(maxsplit=1) == [together]:
        return
    for index, name in enumerate(ids):
        if not name or name.strip() != name:
            raise BenchError(f"{source.place(group, index)}: document id {name!r}; {IDS_ALLOWED}")


def first_repeated(ids: Sequence[str]) -> tuple[int, int]:
    """The two places of the first id that stands twice. ValueError where none does."""
    places: dict[str, int] = {}
    for index, name in enumerate(ids):
        if name in places:
            return places[name], index
        places[name] = index
    raise ValueError("no id stands twice")


def whole_grade(written: bytes | float) -> int:
    """A grade as an integer; `2.0` is 2. ValueError or OverflowError on a fraction, or on what is no number."""
    if isinstance(written, int):
        return written
    value = float(written)
    if not value.is_integer():
        raise ValueError(written)
    return int(value)
