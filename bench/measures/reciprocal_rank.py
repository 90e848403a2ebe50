"""MRR and MRR@k: mean over queries of 1 / rank of the first hit that finds something; 0 where none does."""

from bench.measures.base import Judged, Measure, answerable, at_cutoffs


def reciprocal_rank(judged: Judged, k: int | None = None) -> float:
    """Over all hits, or the first k."""
    return next((1 / rank for rank, gain in enumerate(judged.gains[:k], 1) if gain > 0), 0.0)


MEASURES = [*at_cutoffs("MRR", reciprocal_rank), Measure("MRR", answerable, reciprocal_rank)]
