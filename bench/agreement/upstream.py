"""Votes that upstream datasets publish, for reports: they are never judged, and their sources keep their gold.

qvhighlights         `saliency_scores`: three annotators grade each relevant 2-second clip from 0 to 4. An item is
                     `<qid>/<clip>`. Also binarised as upstream's good clips: a grade of 3 or more
codesearchnet        rows of annotationStore.csv, 0 to 3, one or more of a (language, query, url), in lower case as
                     upstream evaluates language and query
activitynet_captions spans of val_1.json against those of val_2.json, as their adapter keeps them, of shared videos

The first two tell votes apart by place alone, so that nothing is said of single annotators. Spans have no categories:
of each video, events of the two annotators are paired one to one so that the sum of their IoU is greatest, and an event
without a partner agrees with 0.
"""

import csv
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from bench.agreement.measure import measure
from bench.agreement.votes import Vote, Votes
from bench.errors import BenchError
from bench.jsonl import read_rows
from bench.records import Region
from bench.upstream import activitynet_captions, qvhighlights
from bench.upstream.base import Document, Question, Raw

Span = tuple[float, float]

GOOD = 3
_IOU = 0.5
_GRADES = ("0", "1", "2", "3")
_JUDGED = {"Language", "Query", "GitHubUrl", "Relevance"}


class SaliencyRow(msgspec.Struct, frozen=True):
    """A line of a QVHighlights release: of each relevant clip, the grades of its annotators."""

    qid: int
    relevant_clip_ids: list[int] = []
    saliency_scores: list[list[int]] = []


def saliency_votes(raw: Raw, binary: bool = False) -> Votes:
    """The votes on saliency; where `binary`, whether the grade is 3 or more. BenchError on a grade that is none."""
    votes = [
        Vote(f"{row.qid}/{clip}", str(place), (("yes" if grade >= GOOD else "no") if binary else str(grade),))
        for row in _saliency_rows(raw)
        for clip, grades in zip(row.relevant_clip_ids, row.saliency_scores, strict=True)
        for place, grade in enumerate(grades)
    ]
    categories = ("no", "yes") if binary else ("0", "1", "2", "3", "4")
    return Votes(votes, categories, ordinal=not binary, named=False)


def judgement_votes(raw: Raw) -> Votes:
    """Every row of CodeSearchNet's annotationStore.csv as a vote on its (language, query, url)."""
    name = "annotationStore.csv"
    places: Counter[str] = Counter()
    votes = []
    with raw.path(name).open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file)):
            if not row.keys() >= _JUDGED or row["Relevance"] not in _GRADES:
                raise BenchError(f"{raw.dataset}: {name}/{number} needs {', '.join(sorted(_JUDGED))}, the last 0 to 3")
            item = f"{row['Language'].lower()}/{row['Query'].lower()}/{row['GitHubUrl']}"
            votes.append(Vote(item, str(places[item]), (row["Relevance"],)))
            places[item] += 1
    return Votes(votes, _GRADES, ordinal=True, named=False)


def span_agreement(pairs: Sequence[tuple[Sequence[Span], Sequence[Span]]]) -> dict[str, Any]:
    """The mean IoU of both annotators' spans with their partners, and the share with 0.5 or more; a pair is a video."""
    matched = [overlap for ours, theirs in pairs for overlap in _matched(ours, theirs)]
    spans = sum(len(ours) + len(theirs) for ours, theirs in pairs)
    return {
        "n_items": len(pairs),
        "n_raters": 2,
        "n_spans": spans,
        # A pair is a partner to both of its spans.
        "iou": _mean(2 * math.fsum(matched), spans),
        "iou_at_least_half": _mean(2 * sum(overlap >= _IOU for overlap in matched), spans),
    }


def _saliency(raw: Raw) -> dict[str, Any]:
    return {"saliency": measure(saliency_votes(raw)), "saliency_good": measure(saliency_votes(raw, binary=True))}


def _judgements(raw: Raw) -> dict[str, Any]:
    return {"relevance": measure(judgement_votes(raw))}


def _events(raw: Raw) -> dict[str, Any]:
    asked: dict[str, list[Span]] = defaultdict(list)
    told: dict[str, list[Span]] = {}
    # As the adapter keeps them: no span that is reversed, empty or outside, and no video of one annotator.
    for record in activitynet_captions.read(raw):
        if isinstance(record, Document):
            told[record.source_id] = [_span(region) for region, _ in record.units]
        elif isinstance(record, Question):
            asked[record.gold[0].source_id] += [_span(gold.region) for gold in record.gold]
    return {
        "events": span_agreement([(asked[video], spans) for video, spans in sorted(told.items()) if video in asked])
    }


def _span(region: Region) -> Span:
    return region["t_start"], region["t_end"]


def _saliency_rows(raw: Raw) -> Iterator[SaliencyRow]:
    for name in raw.options.get("files", qvhighlights.FILES):
        for row in read_rows(raw.path(name), SaliencyRow):
            wrong = [grade for grades in row.saliency_scores for grade in grades if not 0 <= grade <= 4]
            if wrong or len(row.relevant_clip_ids) != len(row.saliency_scores):
                raise BenchError(f"{raw.dataset}: {name}, qid {row.qid}: one list of grades 0 to 4 for each clip")
            yield row


def _matched(ours: Sequence[Span], theirs: Sequence[Span]) -> list[float]:
    """The IoU of each pair of the best pairing, one to one; pairs that do not overlap are none."""
    from scipy.optimize import linear_sum_assignment

    if not ours or not theirs:
        return []
    one, other = np.array(ours)[:, None, :], np.array(theirs)[None, :, :]
    shared = np.minimum(one[..., 1], other[..., 1]) - np.maximum(one[..., 0], other[..., 0])
    whole = np.maximum(one[..., 1], other[..., 1]) - np.minimum(one[..., 0], other[..., 0])
    overlaps = np.maximum(shared, 0) / whole
    chosen = overlaps[linear_sum_assignment(overlaps, maximize=True)]
    return [float(overlap) for overlap in chosen if overlap > 0]


def _mean(numerator: float, denominator: int) -> dict[str, Any]:
    if not denominator:
        return {"undefined": 1, "reason": "there are no spans"}
    numerator = round(numerator, 9)
    return {
        "value": round(numerator / denominator, 9),
        "numerator": numerator,
        "denominator": denominator,
        "of": f"{numerator}/{denominator}",
    }


# By adapter: the reader of what its upstream's votes say, by the kind of vote. Other upstreams publish none.
REPORTS: dict[str, Callable[[Raw], dict[str, Any]]] = {
    "qvhighlights": _saliency,
    "codesearchnet": _judgements,
    "activitynet_captions": _events,
}
