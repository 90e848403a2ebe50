"""Reading votes: both formats, the declaration, and every fault with its file and line, all at once."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.agreement.declare import Declaration, Settings, declaration
from bench.agreement.declare import settings as read_settings
from bench.agreement.read import read_votes
from bench.agreement.votes import Vote
from bench.errors import BenchError

YES_NO = Declaration(["yes", "no"])


def jsonl(path: Path, rows: list[Any]) -> Path:
    file = path / "votes.jsonl"
    file.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), "utf-8")
    return file


def csv_file(path: Path, text: str) -> Path:
    file = path / "votes.csv"
    file.write_bytes(text.encode("utf-8"))
    return file


def vote(item: str = "q1", annotator: str = "ann", **more: Any) -> dict[str, Any]:
    return {"item": item, "annotator": annotator} | (more or {"label": "yes"})


def faults(path: Path, declared: Declaration = YES_NO) -> list[str]:
    with pytest.raises(BenchError) as caught:
        read_votes(path, declared)
    first, *lines = str(caught.value).replace(path.as_posix(), path.name).split("\n")
    assert first == f"{len(lines)} faults in the votes:"
    return lines


def test_json_lines(tmp_path: Path) -> None:
    rows = [
        vote(label="yes", timestamp="2025-03-01T09:00:00Z", note="sure"),
        vote(annotator="bob", label="no"),
        vote("q2", label="skip"),
    ]
    votes = read_votes(jsonl(tmp_path, rows), YES_NO)
    assert votes.votes == [Vote("q1", "ann", ("yes",)), Vote("q1", "bob", ("no",))]
    assert votes.skipped == ["q2"]
    assert not votes.multi
    assert votes.categories == ["yes", "no"]


def test_csv_is_read_as_json_lines_are(tmp_path: Path) -> None:
    rows = [
        "\ufeffitem,annotator,label,timestamp,note",
        'q1,ann,yes,2025-03-01T09:00:00Z,"two\r\nlines"',
        "q2,ann,skip,,",
        "",
    ]
    text = "\r\n".join(rows)
    votes = read_votes(csv_file(tmp_path, text), YES_NO)
    assert votes.votes == [Vote("q1", "ann", ("yes",))]
    assert votes.skipped == ["q2"]


def test_sets_of_labels_in_both_formats(tmp_path: Path) -> None:
    rows = [vote(labels=["no", "yes"]), vote("q2", labels=[]), vote("q3", label="skip")]
    from_json = read_votes(jsonl(tmp_path, rows), YES_NO)
    from_csv = read_votes(csv_file(tmp_path, "item,annotator,labels\nq1,ann,no;yes\nq2,ann,[]\nq3,ann,skip\n"), YES_NO)
    assert from_json == from_csv
    assert [each.labels for each in from_json.votes] == [("yes", "no"), ()]
    assert from_json.multi
    assert from_json.skipped == ["q3"]


def test_numbers_and_booleans_are_their_text(tmp_path: Path) -> None:
    rows = [vote(label=4), vote("q2", label=4.0), vote("q3", label="4"), vote("q4", label=2.5)]
    votes = read_votes(jsonl(tmp_path, rows), Declaration([4, 2.5]))
    assert [each.labels for each in votes.votes] == [("4",), ("4",), ("4",), ("2.5",)]
    assert read_votes(jsonl(tmp_path, [vote(label=True)]), Declaration(["true", "false"])).votes[0].labels == ("true",)


def test_an_empty_file_has_no_votes(tmp_path: Path) -> None:
    assert read_votes(jsonl(tmp_path, []), YES_NO).votes == []
    assert read_votes(csv_file(tmp_path, "item,annotator,label\n"), YES_NO).votes == []


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"item": "q1", "annotator": "ann"}, "'label' is a required property"),
        ({"annotator": "ann", "label": "yes"}, "'item' is a required property"),
        (vote(annotator=""), "$.annotator"),
        (vote(" q1"), "$.item"),
        (vote(label=""), "blank or a missing value"),
        (vote(label="  "), "blank or a missing value"),
        (vote(label=None), "blank or a missing value"),
        (vote(label="NaN"), "blank or a missing value"),
        ('{"item": "q1", "annotator": "ann", "label": NaN}', "NaN is not JSON"),
        (vote(label="maybe"), "'maybe' is not declared; allowed: yes, no, or skip"),
        (vote(label="Yes"), "'Yes' is not declared"),
        (vote(labels=["yes", "maybe"]), "'maybe' is not declared; allowed: yes, no"),
        (vote(labels=["skip"]), "'skip' is not declared; allowed: yes, no"),
        (vote(labels=["yes", "yes"]), "$.labels"),
        (vote(label="yes", labels=["yes"]), "has both label and labels"),
        (vote(label={"a": 1}), "$.label"),
        (vote(label="yes", timestamp="yesterday"), "$.timestamp"),
        (vote(label="yes", by="me"), "'by' was unexpected"),
        ("[1, 2]", "not of type 'object'"),
        ("", "is blank"),
        ('{"item": "q1"', "not strict JSON"),
        ('{"item": "q1", "item": "q2"}', "stands twice"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, row: Any, says: str) -> None:
    found = faults(jsonl(tmp_path, [vote("first"), row, vote("last")]))
    assert len(found) == 1
    assert found[0].startswith("votes.jsonl:2 ")
    assert says in found[0]


def test_the_same_annotator_twice_names_both_lines(tmp_path: Path) -> None:
    rows = [vote(), vote(annotator="bob"), vote(label="no"), vote("q2", label="skip"), vote("q2")]
    assert faults(jsonl(tmp_path, rows)) == [
        "votes.jsonl:3 annotator 'ann' votes on item 'q1' again, as in line 1: keep one of them",
        "votes.jsonl:5 annotator 'ann' votes on item 'q2' again, as in line 4: keep one of them",
    ]


def test_label_and_labels_do_not_mix(tmp_path: Path) -> None:
    found = faults(jsonl(tmp_path, [vote(), vote("q2", labels=["no"]), vote("q3", label="skip")]))
    assert found == ["votes.jsonl:2 has no label, as the votes before it: a file has either label or labels"]


def test_all_faults_of_a_csv_are_said_at_once(tmp_path: Path) -> None:
    rows = ["q1,ann,,", 'q1,bob,maybe,"two\nlines"', "q2,ann", "q3,ann,nan,", ",ann,yes,", 'q4,ann,yes,"open']
    found = faults(csv_file(tmp_path, "\n".join(["item,annotator,label,note", *rows, ""])))
    assert [line.split(" ")[0].removeprefix("votes.csv:") for line in found] == ["2", "3", "5", "6", "7", "8"]
    assert "2 cells; the header has 4" in found[2]
    assert "is no CSV" in found[5]


def test_many_faults_are_counted_and_the_first_shown(tmp_path: Path) -> None:
    file = jsonl(tmp_path, [vote(f"q{number}", label="maybe") for number in range(150)])
    with pytest.raises(BenchError) as caught:
        read_votes(file, YES_NO)
    lines = str(caught.value).split("\n")
    assert lines[0] == "150 faults in the votes:"
    assert lines[-1] == "... and 50 more"
    assert len(lines) == 102


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("item,annotator,label,mood", "column 'mood'; allowed: item, annotator, label, labels, timestamp, note"),
        ("item,annotator,label,item", "column 'item' twice"),
        ("item,label", "needs the columns"),
        ("item,annotator", "needs the columns"),
        ("item,annotator,label,labels", "needs the columns"),
    ],
)
def test_a_csv_header_is_checked(tmp_path: Path, header: str, says: str) -> None:
    with pytest.raises(BenchError, match=says):
        read_votes(csv_file(tmp_path, header + "\n"), YES_NO)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="is missing"):
        read_votes(tmp_path / "votes.jsonl", YES_NO)
    (tmp_path / "votes.xlsx").write_bytes(b"PK")
    with pytest.raises(BenchError, match=r"ends in \.jsonl or \.csv"):
        read_votes(tmp_path / "votes.xlsx", YES_NO)
    (tmp_path / "votes.csv").write_bytes(b"item,annotator,label\nq1,ann,\xe4\n")
    with pytest.raises(BenchError, match="is not UTF-8"):
        read_votes(tmp_path / "votes.csv", YES_NO)


def test_a_declaration_stands_beside_the_file_or_in_params_and_the_command_line_goes_first(tmp_path: Path) -> None:
    votes = tmp_path / "pages.jsonl"
    in_params = Settings(votes={"pages": Declaration(["a", "b"], critical=True)})
    with pytest.raises(BenchError, match=r"not declared.*--categories.*pages\.yaml.*agreement\.votes\.pages"):
        declaration(votes, Declaration(), Settings())
    assert declaration(votes, Declaration(), in_params) == Declaration(["a", "b"], critical=True)
    (tmp_path / "pages.yaml").write_text("categories: [0, 1, 2]\nordinal: true\nbenchmark: true\n")
    assert declaration(votes, Declaration(), in_params) == Declaration([0, 1, 2], ordinal=True, benchmark=True)
    assert declaration(votes, Declaration(["x", "y"]), in_params).categories == ["x", "y"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("categories: [a, b]\ncolour: red\n", "colour"),
        ("categories: a\n", "categories"),
        ("categories: [yes, no]\n", "quote the categories"),
        ("categories: [a]\n", "only one category"),
        ("categories: [a, b, a]\n", "'a' is declared twice"),
        ("categories: [1, 1.0]\n", "'1' is declared twice"),
        ("categories: [a, skip]\n", "'skip' cannot be a category"),
        ("categories: [a, ' b']\n", "' b' cannot be a category"),
        ("categories: [a, NaN]\n", "'NaN' cannot be a category"),
        ("categories: [a, .nan]\n", "'nan' cannot be a category"),
        ("categories: [a, '']\n", "'' cannot be a category"),
        ("categories: [a, 'b\\tc'\n", "not valid YAML"),
    ],
)
def test_a_faulty_declaration_is_refused(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "pages.yaml").write_text(text)
    with pytest.raises(BenchError, match=says):
        declaration(tmp_path / "pages.jsonl", Declaration(), Settings())


def test_settings_have_defaults_and_limits() -> None:
    assert read_settings({}, "params.yaml") == Settings()
    block = {"min_kappa": 0.7, "votes": {"pages": {"categories": ["a", "b"], "ordinal": True}}}
    found = read_settings({"agreement": block}, "params.yaml")
    assert found.min_kappa == 0.7
    assert found.min_annotators == 3
    assert found.votes["pages"].ordinal
    for wrong in ({"min_kappa": 1.5}, {"min_annotators": 1}, {"min_majority": 0.4}, {"kappa": 0.6}):
        with pytest.raises(BenchError, match=r"params\.yaml: agreement: .*it may have min_annotators"):
            read_settings({"agreement": wrong}, "params.yaml")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(6)))
def test_the_order_of_lines_changes_only_the_order_of_votes(tmp_path: Path, order: list[int]) -> None:
    rows = [vote(f"q{place // 2}", "ab"[place % 2], label=("yes", "no", "skip")[place % 3]) for place in range(6)]
    first = read_votes(jsonl(tmp_path, rows), YES_NO)
    second = read_votes(jsonl(tmp_path, [rows[place] for place in order]), YES_NO)
    assert sorted(first.votes) == sorted(second.votes)
    assert sorted(first.skipped) == sorted(second.skipped)
