"""No two corpus entries of a modality hold the same text; where they do, the queries that this touches are named.

Compared is the normalised text of all units; entries without text are left out. A query is touched where its holder
may see, at its as_of, a copy of its evidence that is not gold: an answer from the copy counts as wrong, and a twin's
evidence is there after all. A query about one session is not.
"""

from collections import defaultdict
from collections.abc import Iterator

from msgspec import UNSET

from bench.checks.base import Contents, Entry, Finding
from bench.records import Annotation

CODE = "W161"
NAME = "duplicate_content"
REMEDY = "Keep one of the copies, or add the others to the gold of the queries that are touched."

_NAMED = 5
_Key = tuple[str, bytes]  # modality, content


def check(contents: Contents) -> Iterator[Finding]:
    """Yield one finding a group of copies that touches queries, at its second entry; one a modality for all others."""
    groups: dict[_Key, list[Entry]] = defaultdict(list)
    for entry in sorted(contents.entries, key=lambda entry: entry.head.source_id):
        if entry.content:
            groups[entry.head.modality, entry.content].append(entry)
    copies = {key: group for key, group in groups.items() if len(group) > 1}
    touched = _touched(contents, copies)
    harmless: dict[str, list[list[Entry]]] = defaultdict(list)
    for key, group in copies.items():
        if key in touched:
            yield group[1].finding(CODE, f"{_names(group)}; queries touched: {_listed(touched[key])}", "each text once")
        else:
            harmless[key[0]].append(group)
    for kept in harmless.values():
        found = f"texts in several entries that touch no query: {len(kept)}, such as: {_names(kept[0])}"
        yield kept[0][1].finding(CODE, found, "each text once")


def _names(group: list[Entry]) -> str:
    first, second, *rest = group
    more = f", as have {len(rest)} more" if rest else ""
    return f"{second.head.source_id} has the text of {first.head.source_id} ({first.path}:{first.line}){more}"


def _touched(contents: Contents, copies: dict[_Key, list[Entry]]) -> dict[_Key, list[str]]:
    """{group: query_ids}."""
    touched: dict[_Key, set[str]] = defaultdict(set)
    for query in contents.queries:
        annotation = query.annotation
        if annotation.scope.session is not None:
            continue
        evidence = list(contents.evidence(_original(contents, annotation)))
        own = {gold.source_id for gold, _ in evidence}
        for _, entry in evidence:
            key = annotation.modality, entry.content
            if any(copy.head.source_id not in own and _sees(annotation, copy) for copy in copies.get(key, ())):
                touched[key].add(annotation.query_id)
    return {key: sorted(query_ids) for key, query_ids in touched.items()}


def _original(contents: Contents, annotation: Annotation) -> Annotation:
    """The query whose gold is the evidence: a twin's original, else the query itself."""
    if annotation.twin_of is UNSET or annotation.twin_of.query_id not in contents.by_query_id:
        return annotation
    return contents.by_query_id[annotation.twin_of.query_id].annotation


def _sees(annotation: Annotation, entry: Entry) -> bool:
    return entry.head.holder == annotation.scope.holder and entry.head.observed_at <= annotation.as_of


def _listed(query_ids: list[str]) -> str:
    more = f" and {len(query_ids) - _NAMED} more" if len(query_ids) > _NAMED else ""
    return f"{len(query_ids)}, {', '.join(query_ids[:_NAMED])}{more}"
