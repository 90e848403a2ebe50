"""Votes that upstreams publish: read from tiny files in their formats, and measured on the real ones."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from bench.agreement.upstream import REPORTS, judgement_votes, saliency_votes, span_agreement
from bench.errors import BenchError
from bench.upstream.base import Raw


def raw(folder: Path, **options: Any) -> Raw:
    return Raw(folder, folder.name, "1", options)


def saliency_file(folder: Path, rows: list[dict[str, Any]]) -> Raw:
    (folder / "votes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return raw(folder, files=["votes.jsonl"])


def test_saliency(tmp_path: Path) -> None:
    source = saliency_file(
        tmp_path,
        [
            {"qid": 1, "query": "a dog", "relevant_clip_ids": [4, 5], "saliency_scores": [[4, 4, 3], [0, 1, 2]]},
            {"qid": 2, "query": "withheld"},
        ],
    )
    votes = saliency_votes(source)
    assert [(vote.item, *vote.labels) for vote in votes.votes[:3]] == [("1/4", "4"), ("1/4", "4"), ("1/4", "3")]
    assert votes.ordinal
    assert not votes.named
    assert [vote.labels[0] for vote in saliency_votes(source, binary=True).votes] == ["yes"] * 3 + ["no"] * 3


@pytest.mark.parametrize("scores", [[[4, 4, 5]], [[-1, 0, 0]], [[1, 1, 1]] * 2])
def test_saliency_that_is_none_is_refused(tmp_path: Path, scores: list[list[int]]) -> None:
    source = saliency_file(tmp_path, [{"qid": 7, "relevant_clip_ids": [4], "saliency_scores": scores}])
    with pytest.raises(BenchError, match=r"votes\.jsonl, qid 7: one list of grades 0 to 4"):
        saliency_votes(source)


def judgements_file(folder: Path, *rows: str) -> Raw:
    (folder / "annotationStore.csv").write_bytes(("\r\n".join(rows) + "\r\n").encode())
    return raw(folder)


def test_judgements(tmp_path: Path) -> None:
    source = judgements_file(
        tmp_path,
        "Language,Query,GitHubUrl,Relevance,Notes",
        'Python,Sort a List,https://x/a,3,"over\r\ntwo lines"',
        "python,sort a list,https://x/a,1,",
        "Go,sort a list,https://x/a,0,",
    )
    votes = judgement_votes(source)
    assert [(vote.item, vote.annotator, vote.labels[0]) for vote in votes.votes] == [
        ("python/sort a list/https://x/a", "0", "3"),
        ("python/sort a list/https://x/a", "1", "1"),
        ("go/sort a list/https://x/a", "0", "0"),
    ]


@pytest.mark.parametrize(
    "rows", [["Language,Query,Relevance", "Go,q,1"], ["Language,Query,GitHubUrl,Relevance", "Go,q,u,4"]]
)
def test_judgements_that_are_none_are_refused(tmp_path: Path, rows: list[str]) -> None:
    with pytest.raises(BenchError, match=r"annotationStore\.csv/0 needs GitHubUrl, Language, Query, Relevance"):
        judgement_votes(judgements_file(tmp_path, *rows))


def test_spans_are_paired_one_to_one() -> None:
    found = span_agreement([([(0, 10), (20, 30)], [(0, 10), (0, 20), (25, 30)])])
    # (0, 10) with its equal, (20, 30) with (25, 30) at 0.5, and (0, 20) stays alone: 2 * 1.5 of 5 spans.
    assert found["iou"]["value"] == pytest.approx(0.6)
    assert found["iou_at_least_half"]["of"] == "4/5"
    assert (found["n_items"], found["n_raters"], found["n_spans"]) == (1, 2, 5)
    assert span_agreement([([(0, 1)], [(2, 3)])])["iou"]["value"] == 0
    assert span_agreement([([], [(2, 3)])])["iou"]["value"] == 0
    assert span_agreement([])["iou"] == {"undefined": 1, "reason": "there are no spans"}


def test_events_are_those_that_the_adapter_keeps(tmp_path: Path) -> None:
    def write(name: str, videos: dict[str, list[list[float]]]) -> None:
        document = {
            video: {"duration": 20.0, "timestamps": spans, "sentences": ["It moves."] * len(spans)}
            for video, spans in videos.items()
        }
        (tmp_path / name).write_text(json.dumps(document))

    write("val_1.json", {"v_a": [[0, 10], [9, 4]], "v_alone": [[0, 5]]})
    write("val_2.json", {"v_a": [[0, 20]]})
    found = REPORTS["activitynet_captions"](raw(tmp_path))["events"]
    assert found["iou"] == {"value": 0.5, "numerator": 1.0, "denominator": 2, "of": "1.0/2"}


def saliency_grades(folder: Path) -> Iterator[list[int]]:
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.open(encoding="utf-8"):
            yield from json.loads(line)["saliency_scores"]


def by_pairs(items: list[list[Any]]) -> tuple[float, float]:
    """Fleiss' kappa and nominal alpha of three votes an item, from shares of equal pairs."""
    equal = sum(a == b for grades in items for a, b in combinations(grades, 2)) / (3 * len(items))
    shares = Counter(grade for grades in items for grade in grades)
    votes = 3 * len(items)
    with_itself = sum((number / votes) ** 2 for number in shares.values())
    without_itself = sum(number * (number - 1) for number in shares.values()) / (votes * (votes - 1))
    return (equal - with_itself) / (1 - with_itself), (equal - without_itself) / (1 - without_itself)


def test_qvhighlights(mirror: Path) -> None:
    found = REPORTS["qvhighlights"](raw(mirror / "qvhighlights"))
    grades = list(saliency_grades(mirror / "qvhighlights"))
    for kind, items in (("saliency", grades), ("saliency_good", [[grade >= 3 for grade in each] for each in grades])):
        kappa, alpha = by_pairs(items)
        assert found[kind]["fleiss_kappa"]["value"] == pytest.approx(kappa, abs=1e-8)
        assert found[kind]["raw_agreement"]["n_items"] == len(items) == 226_009
        assert found[kind]["raw_agreement"]["n_raters"] == 3
        if kind == "saliency_good":
            assert found[kind]["krippendorff_alpha"]["value"] == pytest.approx(alpha, abs=1e-8)
    assert found["saliency"]["fleiss_kappa"]["value"] == pytest.approx(0.03, abs=0.005)
    assert found["saliency"]["fleiss_kappa"]["value"] == pytest.approx(0.032443120, abs=1e-9)
    assert found["saliency_good"]["fleiss_kappa"]["value"] == pytest.approx(0.163683689, abs=1e-9)
    assert found["saliency"]["krippendorff_alpha"]["level"] == "ordinal"
    assert found["saliency"]["krippendorff_alpha"]["value"] == pytest.approx(ordinal_alpha_by_ranks(grades), abs=1e-8)


def ordinal_alpha_by_ranks(items: list[list[int]]) -> float:
    """Ordinal alpha of three votes an item: squared differences of mid-ranks, within items over between all votes."""
    shares = Counter(grade for grades in items for grade in grades)
    ranks, below = {}, 0
    for grade in sorted(shares):
        ranks[grade] = below + (shares[grade] + 1) / 2
        below += shares[grade]
    within = sum((ranks[a] - ranks[b]) ** 2 for grades in items for a, b in combinations(grades, 2)) / (3 * len(items))
    pairs = combinations(sorted(shares), 2)
    between = sum((ranks[a] - ranks[b]) ** 2 * shares[a] * shares[b] for a, b in pairs) / (below * (below - 1) / 2)
    return 1 - within / between


def test_codesearchnet(mirror: Path) -> None:
    found = REPORTS["codesearchnet"](raw(mirror / "codesearchnet"))["relevance"]
    with (mirror / "codesearchnet" / "annotationStore.csv").open(newline="", encoding="utf-8") as file:
        rows = Counter(
            (row["Language"].lower(), row["Query"].lower(), row["GitHubUrl"]) for row in csv.DictReader(file)
        )
    assert found["n_votes"] == rows.total() == 4_006
    assert found["n_items"] == len(rows) == 2_914
    assert found["items_by_votes"] == {"1": 2_034, "2": 720, "3": 119, "4": 32, "5": 7, "6": 2}
    assert found["fleiss_kappa"]["undefined"] == 1
    assert found["raw_agreement"]["n_items"] == 880
    assert found["raw_agreement"]["value"] == pytest.approx(0.387424242, abs=1e-9)
    assert found["krippendorff_alpha"]["value"] == pytest.approx(0.466935331, abs=1e-9)


def test_activitynet(mirror: Path) -> None:
    found = REPORTS["activitynet_captions"](raw(mirror / "activitynet-captions"))["events"]
    assert (found["n_items"], found["n_raters"], found["n_spans"]) == (4_885, 2, 34_429)
    assert found["iou"]["value"] == pytest.approx(0.423477665, abs=1e-8)
    assert found["iou_at_least_half"]["of"] == "15264/34429"
