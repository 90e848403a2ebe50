"""From per-query scores to the document of scores.json.

`{<modality>|all: {<split>: {<measure>: record}}}`, the same by_source and by_scenario, and `counts`: how many queries
were scored, had no line, or could not be measured, and how many hits were oversized. What cannot be measured is
absent, never 0; no null, list, NaN, or dot in a name.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from bench.measures import MEASURES, record
from bench.records import Annotation, Scored


def aggregate(per_query: Iterable[Scored], unmeasured: Iterable[Annotation]) -> dict[str, Any]:
    """The document. `unmeasured` are the queries that the system's kind cannot be measured on: counted, not scored."""
    groups: dict[tuple[str, ...], list[Scored]] = defaultdict(list)
    for line in per_query:
        groups["all", line.split].append(line)
        groups[line.modality, line.split].append(line)
        groups["by_source", line.dataset, line.split].append(line)
        groups["by_scenario", line.modality, line.scenario, line.split].append(line)
    document: dict[str, Any] = {}
    for names, lines in groups.items():
        _place(document, names, _records(lines))
    missing: dict[tuple[str, str], int] = defaultdict(int)
    for query in unmeasured:
        missing["all", query.split] += 1
        missing[query.modality, query.split] += 1
    for place in {names for names in groups if len(names) == 2} | set(missing):
        _place(document, ("counts", *place), _counts(groups.get(place, []), missing[place[0], place[1]]))
    return document


def _records(lines: Sequence[Scored]) -> dict[str, Any]:
    records = {}
    for measure in MEASURES:
        within = [line for line in lines if measure.key in line.scores]
        answered = sum(line.answered for line in within)
        if made := record([line.scores[measure.key] for line in within], answered):
            records[measure.key] = made
    return records


def _counts(lines: Sequence[Scored], unmeasured: int) -> dict[str, int]:
    return {
        "queries": len(lines),
        "without_line": sum(not line.answered for line in lines),
        "unmeasured": unmeasured,
        "hits": sum(line.hits for line in lines),
        "oversized": sum(line.oversized for line in lines),
    }


def _place(document: dict[str, Any], names: Sequence[str], value: dict[str, Any]) -> None:
    for name in names[:-1]:
        document = document.setdefault(name, {})
    document[names[-1]] = value
