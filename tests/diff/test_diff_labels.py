"""What counts as which change of a label."""

from pathlib import Path

from hand_made import LABELS_OLD, OLD, SUITE, compared, compared_on_disk, write_state

from bench.jsonl import encode, read_rows


def kinds(comparison) -> list[tuple[str, str, str]]:
    return [(change.kind, change.query_id, change.why) for change in comparison.labels]


def test_rows_that_both_states_leave_out_for_another_reason_or_value(tmp_path: Path) -> None:
    comparison = compared(
        tmp_path,
        OLD.but(excluded={"7": "page_zero=doc [0]", "8": "missing_document=doc [82]", "9": "same=x"}),
        OLD.but(excluded={"7": "no_pages=doc [0]", "8": "missing_document=doc [78]", "9": "same=x"}),
    )
    assert [(change.query_id, change.fields) for change in comparison.labels] == [
        ("pics 7", {"reason": ["page_zero", "no_pages"]}),
        ("pics 8", {"detail": ["doc [82]", "doc [78]"]}),
    ]
    assert {change.kind for change in comparison.labels} == {"excluded"}
    assert "Excluded questions by reason: pics no_pages 0 -> 1; pics page_zero 1 -> 0" in comparison.notes


def test_a_query_that_was_left_out_before_and_one_that_is_now(tmp_path: Path) -> None:
    fewer = {name: gold for name, gold in LABELS_OLD.items() if name != "q4"}
    old = OLD.but(gold=fewer, excluded={"row of q4": "page_zero=[0]"})
    new = OLD.but(
        gold={name: gold for name, gold in LABELS_OLD.items() if name != "q1"}, excluded={"row of q1": "late="}
    )
    assert kinds(compared(tmp_path, old, new)) == [
        ("removed", "q1", "now excluded: late"),
        ("added", "q4", "before excluded: page_zero"),
    ]


def test_another_question_in_the_same_row_is_one_removed_and_one_added(tmp_path: Path) -> None:
    old = OLD.but(gold=LABELS_OLD | {"q5": "a"}, items={"q5": "5"}, questions={"q5": "How many boats are on the lake?"})
    new = OLD.but(gold=LABELS_OLD | {"q6": "b"}, items={"q6": "5"}, questions={"q6": "Who wrote this?"})
    assert [kind for kind, _, _ in kinds(compared(tmp_path, old, new))] == ["removed", "added"]


def test_a_reworded_question_whose_row_moved_is_found_by_gold_and_wording(tmp_path: Path) -> None:
    asked = "How many boats are on the lake", "How many boats can be seen on the lake"
    old = OLD.but(gold=LABELS_OLD | {"q5": "a"}, items={"q5": "5"}, questions={"q5": asked[0]})
    new = OLD.but(gold=LABELS_OLD | {"q6": "a"}, items={"q6": "6"}, questions={"q6": asked[1]})
    [change] = compared(tmp_path, old, new).labels
    assert (change.kind, change.before_id, change.query_id) == ("reworded", "q5", "q6")
    assert change.fields == {"question": list(asked)}


def test_order_of_lines_and_of_gold_is_no_change(tmp_path: Path) -> None:
    made = OLD.but(gold=LABELS_OLD | {"q3": "ef"})
    compared(tmp_path, made, made)
    path = tmp_path / "new" / SUITE / "sets/image.jsonl"
    rows = list(read_rows(path, dict))
    for row in rows:
        row["gold"].reverse()
    path.write_bytes(b"".join(encode(row) + b"\n" for row in reversed(rows)))
    comparison = compared_on_disk(tmp_path)
    assert (comparison.labels, comparison.splits) == ([], [])
    write_state(tmp_path / "new", made.but(gold=made.gold | {"q3": "e"}))
    assert [change.fields.keys() for change in compared_on_disk(tmp_path).labels] == [{"gold"}]
