"""Judgements in memory, given out once to each query of a run."""

from collections.abc import Iterator
from typing import cast

from bench.errors import BenchError
from bench.rankings.checks import check_ids, first_repeated, whole_grade
from bench.rankings.groups import Group, Source

Grades = dict[str, int]


class Apart(Exception):
    """A query begins a second time in a run that is read one query at a time."""


class Qrels:
    """The relevant documents of every judged query, with their grades, which are above 0.

    queries            how many there are, `without_relevant` of them with no relevant document
    unknown            the queries asked for that nobody judged, in the order of asking
    """

    def __init__(self, grades: dict[str, Grades]) -> None:
        """`grades` holds all judgements by query, 0 and less among them. It becomes part of this, and changes."""
        for query_id, of_query in grades.items():
            grades[query_id] = {doc_id: grade for doc_id, grade in of_query.items() if grade > 0}
        self.queries = len(grades)
        self.without_relevant = sum(not relevant for relevant in grades.values())
        self.unknown: dict[str, None] = {}
        self._relevant = cast(dict[str, Grades | None], grades)

    def take(self, query_id: str) -> Grades | None:
        """The relevant documents of a query, which are then forgotten here; None where nobody judged it.

        Raises Apart where the query was asked for before.
        """
        if query_id not in self._relevant:
            if query_id in self.unknown:
                raise Apart
            self.unknown[query_id] = None
            return None
        relevant = self._relevant[query_id]
        if relevant is None:
            raise Apart
        self._relevant[query_id] = None
        return relevant

    def untaken(self) -> Iterator[str]:
        """The judged queries that were not asked for."""
        return (query_id for query_id, relevant in self._relevant.items() if relevant is not None)


def collect(source: Source) -> Qrels:
    """All judgements of a file, which may stand in any order.

    BenchError on bad ids and grades, on a document judged twice for a query, and where nothing is relevant.
    """
    grades: dict[str, Grades] = {}
    for group in source.groups():
        check_ids(source, group)
        whole = group.values if {*map(type, group.values)} == {int} else _whole(source, group)
        of_group = dict(zip(group.doc_ids, whole, strict=True))
        earlier = grades.setdefault(group.query_id, of_group)
        if len(of_group) != len(group.doc_ids):
            raise _judged_twice(source, group, *first_repeated(group.doc_ids))
        if earlier is not of_group:
            for index, doc_id in enumerate(group.doc_ids):
                if doc_id in earlier:
                    raise _judged_twice(source, group, None, index)
            earlier.update(of_group)
    qrels = Qrels(grades)
    if qrels.without_relevant == qrels.queries:
        what = "judges no document as relevant" if grades else "is empty"
        raise BenchError(f"{source.path} {what}: at least one grade above 0 is needed")
    return qrels


def _whole(source: Source, group: Group) -> list[int]:
    whole = []
    for index, written in enumerate(group.values):
        try:
            whole.append(whole_grade(written))
        except (ValueError, OverflowError):
            shown = written.decode(errors="replace") if isinstance(written, bytes) else written
            raise BenchError(
                f"{source.place(group, index)}: grade {shown} is no whole number; allowed: integers, where 0 and less "
                "mean not relevant (trec_eval would cut a fraction off: scale the grades instead)"
            ) from None
    return whole


def _judged_twice(source: Source, group: Group, first: int | None, second: int) -> BenchError:
    """`first` None: the other judgement stands in an earlier group, which a second reading finds."""
    doc_id = group.doc_ids[second]
    if first is None:
        other = next(other for other in source.groups() if other.query_id == group.query_id and doc_id in other.doc_ids)
        place = source.place(other, other.doc_ids.index(doc_id))
    else:
        place = source.place(group, first)
    return BenchError(
        f"{source.place(group, second)}: document {doc_id!r} of query {group.query_id!r} is judged already, at "
        f"{place}; keep one of the two"
    )
