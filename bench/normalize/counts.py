"""What metrics/dataset.json says: sources, queries by class, holders; for each source, rows in = kept + excluded."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from bench.errors import BenchError
from bench.normalize.corpora import Part
from bench.normalize.twins import Twins, kinds
from bench.records import MODALITIES, Annotation


def modalities_of(parts: Iterable[Part]) -> list[str]:
    """The modalities of the sources, in the order of MODALITIES."""
    present = {part.source.modality for part in parts}
    return [modality for modality in MODALITIES if modality in present]


def describe(parts: list[Part], queries: list[Annotation], twins: dict[str, Twins]) -> dict[str, Any]:
    """What metrics/dataset.json says. BenchError where the rows of a source do not add up."""
    counts: dict[str, Any] = {}
    for modality in ["all", *modalities_of(parts)]:
        of_parts = [part for part in parts if modality in ("all", part.source.modality)]
        of_queries = [query for query in queries if modality in ("all", query.modality)]
        classes = Counter(query.unanswerable_class or "answerable" for query in of_queries)
        counts[modality] = {
            "sources": sum(len(part.owned) for part in of_parts),
            "queries": len(of_queries),
            "unanswerable": len(of_queries) - classes["answerable"],
            "holders": len({owner.holder for part in of_parts for owner in part.owned.values()}),
            **{name: classes[name] for name in ("answerable", "native", "other_holder", "before_observation")},
        }
    counts["by_source"] = {part.source.name: _rows(part, queries, twins) for part in parts}
    return counts


def _rows(part: Part, queries: list[Annotation], twins: dict[str, Twins]) -> dict[str, Any]:
    name, dataset = part.source.name, part.source.dataset
    own = [query for query in queries if query.origin.dataset == dataset]
    made = [query for query in own if query.unanswerable_class in ("other_holder", "before_observation")]
    kept = {**part.kept, "question": len(own) - len(made)}
    rows: dict[str, Any] = {}
    for kind, total in sorted(part.rows.items()):
        excluded = sum(row.kind == kind for row in part.excluded)
        if total != kept[kind] + excluded:
            raise BenchError(f"{name}: {total} {kind} rows came in, but {kept[kind]} were kept and {excluded} excluded")
        rows[kind] = {"rows": total, "kept": kept[kind], "excluded": excluded}
    reasons = Counter(f"{row.kind}:{row.reason}" for row in part.excluded)
    refused = twins[part.source.modality].refused.get(dataset, Counter())
    return {
        **rows,
        "excluded": dict(reasons),
        "resolved": dict(Counter(row.rule for row in part.resolved)),
        "twins": dict(kinds(made)),
        "twins_refused": dict(refused),
    }
