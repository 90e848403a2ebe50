"""Rank order, credit and leaks of one query's hits."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.errors import BenchError
from bench.records import Annotation, Atom, CorpusHead, Gold, Hit, Origin, RunLine, Scope
from bench.score.judge import judge, place, rank

EXTENT = {
    "pdf": {"pages": 20},
    "conversation": {"turns": 50},
    "image": {"width": 10, "height": 10},
    "video": {"duration": 100.0},
    "ui_screenshot": {"width": 100, "height": 100},
    "code": {
        "symbols": [
            {"path": "a.py", "symbol": "f", "line_start": 1, "line_end": 9},
            {"path": "a.py", "symbol": "f.inner", "line_start": 3, "line_end": 5},
            {"path": "a.py", "symbol": "twice", "line_start": 11, "line_end": 12},
            {"path": "a.py", "symbol": "twice", "line_start": 14, "line_end": 16},
        ]
    },
}


def corpus_of(modality):
    def head(name, holder, observed_at):
        return CorpusHead(name, modality, holder, observed_at, "d", EXTENT[modality])

    return {
        "s": head("s", "me", "2025-01-01T00:00:00Z"),
        "t": head("t", "me", "2025-01-01T00:00:00Z"),
        "future": head("future", "me", "2025-06-02T00:00:00Z"),
        "now": head("now", "me", "2025-06-01T00:00:00Z"),
        "theirs": head("theirs", "you", "2025-01-01T00:00:00Z"),
    }


def query_of(modality, *regions, grades=()):
    gold = [
        Gold("s", region, grade) if grade else Gold("s", region)
        for region, grade in itertools.zip_longest(regions, grades)
    ]
    return Annotation(
        query_id="q", modality=modality, question="?", answer=None, answer_format="none", gold=gold,
        scope=Scope("me", None, "x"), as_of="2025-06-01T00:00:00Z", unanswerable=not gold,
        origin=Origin("d", "1", "i", "CC0-1.0"), split="dev",
    )  # fmt: skip


def hit(region, score=1.0, source="s", strong=False):
    return Hit(score=score, strong=strong, source_id=source, region=region)


def judged(query, *hits, atoms=()):
    atoms = {atom.atom_id: atom for atom in atoms}
    return judge(query, RunLine("q", list(hits)), corpus_of(query.modality), atoms, "run")


def falling(*regions, source="s"):
    """Hits whose scores keep the order given."""
    return [hit(region, score=100.0 - number, source=source) for number, region in enumerate(regions)]


def test_ties_are_ordered_by_docid_descending_whatever_the_input_order():
    query = query_of("pdf", {"page": 1})
    hits = [hit({"page": page}) for page in (1, 2, 9)]
    for order in itertools.permutations(hits):
        assert judged(query, *order).gains == [0, 0, 1]


def test_scores_that_differ_beyond_float32_are_tied():
    query = query_of("pdf", {"page": 1})
    assert judged(query, hit({"page": 1}, 1.00000002), hit({"page": 2}, 1.00000001)).gains == [0, 1]


def test_a_repeated_hit_is_an_error():
    with pytest.raises(BenchError, match=r"s#\{\"page\":1\} is returned twice"):
        judged(query_of("pdf", {"page": 1}), hit({"page": 1}, 2.0), hit({"page": 1}, 1.0))


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_a_score_that_is_no_number_is_an_error(score):
    with pytest.raises(BenchError, match="no finite number"):
        judged(query_of("pdf", {"page": 1}), hit({"page": 1}, score))


def test_an_unknown_source_is_an_error():
    with pytest.raises(BenchError, match="'nowhere' is not in the pdf corpus"):
        judged(query_of("pdf", {"page": 1}), hit({"page": 1}, source="nowhere"))


def test_later_hits_on_found_gold_gain_nothing():
    query = query_of("code", {"path": "a.py", "symbol": "f"})
    result = judged(query, *falling({"path": "a.py", "line": 2}, {"path": "a.py", "symbol": "f"}))
    assert result.gains == [1, 0]
    assert result.found == [1, 0]


def test_a_hit_gains_the_highest_grade_it_finds():
    query = query_of("conversation", {"turn": 1}, {"turn": 2}, grades=(1.0, 3.0))
    atom = Atom("a", "s", [{"turn": 1}, {"turn": 2}])
    result = judged(query, Hit(score=1.0, strong=True, atom_id="a"), atoms=[atom])
    assert result.gains == [3]
    assert result.found == [2]
    assert result.strong == [True]


def test_as_of_is_inclusive_and_holders_are_told_apart():
    query = query_of("pdf", {"page": 1})
    hits = [hit({"page": 1}, 4.0 - n, source) for n, source in enumerate(("s", "now", "future", "theirs"))]
    result = judged(query, *hits)
    assert result.late == [False, False, True, False]
    assert result.foreign == [False, False, False, True]


@pytest.mark.parametrize(
    ("modality", "gold", "found"),
    [
        ("pdf", {"page": 3}, {"page": 3, "block": 2}),
        ("image", {}, {}),
        ("conversation", {"turn": 3}, {"turn": 3}),
        ("code", {"path": "a.py", "symbol": "f"}, {"path": "a.py", "line": 9}),
        ("code", {"path": "a.py", "symbol": "f"}, {"path": "a.py", "symbol": "f"}),
        ("code", {"path": "a.py", "line": 14}, {"path": "a.py", "line": 16}),
        ("video", {"t_start": 10, "t_end": 20}, {"t_start": 10, "t_end": 30}),
        ("ui_screenshot", {"bbox": [0, 0, 10, 10]}, {"bbox": [0, 0, 10, 5]}),
    ],
)
def test_what_finds_a_region(modality, gold, found):
    assert judged(query_of(modality, gold), hit(found)).gains == [1]


@pytest.mark.parametrize(
    ("modality", "gold", "missed"),
    [
        ("pdf", {"page": 3}, {"page": 4}),
        ("conversation", {"turn": 3}, {"turn": 4}),
        ("code", {"path": "a.py", "symbol": "f"}, {"path": "a.py", "line": 10}),
        ("code", {"path": "a.py", "symbol": "f"}, {"path": "b.py", "symbol": "f"}),
        ("code", {"path": "a.py", "line": 14}, {"path": "a.py", "line": 12}),
        ("video", {"t_start": 10, "t_end": 20}, {"t_start": 10, "t_end": 14.9}),
        ("ui_screenshot", {"bbox": [0, 0, 10, 10]}, {"bbox": [0, 0, 10, 4.9]}),
    ],
)
def test_what_does_not(modality, gold, missed):
    result = judged(query_of(modality, gold), hit(missed))
    assert result.gains == [0]
    assert result.oversized == 0


@pytest.mark.parametrize(
    ("modality", "gold", "regions"),
    [
        ("pdf", {"page": 1}, [{"page": 1}, {"page": 2}, {"page": 3}]),
        ("pdf", {"page": 1}, [{}]),
        ("pdf", {"page": 1}, []),
        ("conversation", {"turn": 1}, [{"turn": turn} for turn in range(1, 6)]),
        ("code", {"path": "a.py", "symbol": "f"}, [{"path": "a.py"}]),
        ("code", {"path": "a.py", "symbol": "f"}, [{"path": "a.py", "line": 4}, {"path": "a.py", "line": 12}]),
        ("code", {"path": "a.py", "line": 12}, [{"path": "a.py", "symbol": "twice"}]),
        ("video", {"t_start": 10, "t_end": 20}, [{"t_start": 10, "t_end": 30.1}]),
        ("video", {"t_start": 10, "t_end": 20}, [{"t_start": 10, "t_end": 20}, {"t_start": 40, "t_end": 51}]),
        ("ui_screenshot", {"bbox": [0, 0, 10, 10]}, [{"bbox": [0, 0, 10, 20.1]}]),
        ("ui_screenshot", {"bbox": [0, 0, 10, 10]}, [{}]),
    ],
)
def test_a_hit_that_covers_too_much_or_names_no_region_finds_nothing(modality, gold, regions):
    atom = Atom("a", "s", regions)
    result = judged(query_of(modality, gold), Hit(score=1.0, strong=False, atom_id="a"), atoms=[atom])
    assert result.gains == [0]
    assert result.oversized == 1


@pytest.mark.parametrize(
    ("modality", "gold", "regions"),
    [
        ("pdf", {"page": 1}, [{"page": 1}, {"page": 2}]),
        ("conversation", {"turn": 1}, [{"turn": turn} for turn in range(1, 5)]),
        ("code", {"path": "a.py", "symbol": "f"}, [{"path": "a.py", "line": 1}, {"path": "a.py", "line": 9}]),
        ("video", {"t_start": 10, "t_end": 20}, [{"t_start": 10, "t_end": 30}]),
    ],
)
def test_the_largest_hit_that_counts(modality, gold, regions):
    atom = Atom("a", "s", regions)
    result = judged(query_of(modality, gold), Hit(score=1.0, strong=False, atom_id="a"), atoms=[atom])
    assert result.gains == [1]


def test_overlapping_hits_are_taken_together():
    query = query_of("video", {"t_start": 0, "t_end": 30})
    spans = [{"t_start": start, "t_end": start + 6} for start in (0, 60, 6, 12)]
    assert judged(query, *falling(*spans)).gains == [0, 0, 0, 1], "18 of 30 s at rank 4; the span elsewhere is left out"


def test_what_lies_beside_the_gold_counts_against_the_union():
    query = query_of("video", {"t_start": 10, "t_end": 20})
    spans = [{"t_start": 4, "t_end": 14}, {"t_start": 14, "t_end": 16}]
    # 4 of 16 s, then 6 of 16 s: the union still holds 6 s of something else.
    assert judged(query, *falling(*spans)).gains == [0, 0]


def test_boxes_together():
    query = query_of("ui_screenshot", {"bbox": [0, 0, 20, 20]})
    boxes = [{"bbox": [0, 0, 10, 10]}, {"bbox": [5, 0, 20, 10]}, {"bbox": [0, 10, 10, 20]}]
    assert judged(query, *falling(*boxes)).gains == [0, 1, 0]


def test_a_hit_has_one_kind_of_place():
    with pytest.raises(BenchError, match="either an atom_id, or a source_id"):
        place(Hit(score=1.0, strong=False, source_id="s", region={}, atom_id="a"), {"a": Atom("a", "s", [])}, "run")
    with pytest.raises(BenchError, match=r"not in the atoms\.jsonl"):
        place(Hit(score=1.0, strong=False, atom_id="b"), {}, "run")
    with pytest.raises(BenchError, match="needs a source_id"):
        place(Hit(score=1.0, strong=False), {}, "run")


@given(st.lists(st.tuples(st.integers(1, 20), st.sampled_from([0.5, 1.0, 2.0])), unique_by=lambda pair: pair[0]))
def test_the_order_of_hits_in_the_file_never_matters(pairs):
    query = query_of("pdf", {"page": 1}, {"page": 7})
    hits = [hit({"page": page}, score) for page, score in pairs]
    assert judged(query, *hits) == judged(query, *reversed(hits))


def test_rank_is_by_score_first():
    places = [place(hit({"page": page}, score), {}, "run") for page, score in ((1, 0.1), (2, 0.9), (3, -5.0))]
    assert [item.regions[0]["page"] for item in rank(places, "run")] == [2, 1, 3]
