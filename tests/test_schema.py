"""The JSON Schemas: what they take and refuse, and that they say the same as the records in bench.records."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bench import records
from bench.checks.reading import parse_line
from bench.jsonl import encode
from bench.modalities import geometry
from bench.schema import problems, schema

NAMES = ("annotation", "corpus", "run", "atoms", "votes")
REGIONS: dict[str, list[dict[str, Any]]] = {
    "pdf": [{"page": 1}, {"page": 3, "block": 2}],
    "image": [{}],
    "ui_screenshot": [{"bbox": [0, 0, 10.5, 20]}],
    "video": [{"t_start": 0, "t_end": 2.5}],
    "code": [{"path": "a.py", "symbol": "f"}, {"path": "a.py", "line": 3}],
    "conversation": [{"turn": 4}],
}
EXTENTS: dict[str, dict[str, Any]] = {
    "pdf": {"pages": 9},
    "image": {"width": 10, "height": 20},
    "ui_screenshot": {"width": 10, "height": 20},
    "video": {"duration": 8.5},
    "code": {"symbols": [{"path": "a.py", "symbol": "f", "line_start": 1, "line_end": 9}]},
    "conversation": {"turns": 9},
}
MISSHAPEN = [
    {"page": 0},
    {"page": True},
    {"page": "1"},
    {"page": 1, "block": 0},
    {"page": 1, "line": 1},
    {"bbox": [1, 2, 3]},
    {"bbox": [1, 2, 3, True]},
    {"t_start": 1},
    {"t_start": "1", "t_end": 2},
    {"path": "a.py"},
    {"path": "a.py", "symbol": "f", "line": 1},
    {"path": "a.py", "line": True},
    {"turn": -1},
    {"turn": None},
]


def annotation(modality: str = "pdf", region: Any = None, **changes: Any) -> dict[str, Any]:
    region = REGIONS[modality][0] if region is None else region
    return {
        "query_id": "docs:a:12345678",
        "modality": modality,
        "question": "Which page says it?",
        "answer": None,
        "answer_format": "none",
        "gold": [{"source_id": "docs/a", "region": region}],
        "scope": {"holder": "h", "session": None, "scenario": "reading"},
        "as_of": "2025-03-01T09:00:00+01:00",
        "unanswerable": False,
        "origin": {"dataset": "docs", "revision": "1", "item": "rows[1]", "license": "MIT"},
        "split": "dev",
    } | changes


def entry(modality: str = "pdf", **changes: Any) -> dict[str, Any]:
    return {
        "source_id": "docs/a",
        "modality": modality,
        "holder": "h",
        "observed_at": "2025-03-01T09:00:00Z",
        "dataset": "docs",
        "revision": "1",
        "title": "",
        "extent": EXTENTS[modality],
        "units": [{"region": region, "text": ""} for region in REGIONS[modality]],
    } | changes


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_valid_schema_with_a_description_for_every_field(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert all("description" in field or field.get("type") == "object" for field in schema(name)["properties"].values())


@pytest.mark.parametrize(
    ("name", "path", "struct"),
    [
        ("annotation", (), records.Annotation),
        ("annotation", ("gold", "items"), records.Gold),
        ("annotation", ("scope",), records.Scope),
        ("annotation", ("origin",), records.Origin),
        ("annotation", ("twin_of",), records.TwinOf),
        ("corpus", (), records.CorpusEntry),
        ("corpus", ("units", "items"), records.Unit),
        ("run", (), records.RunLine),
        ("run", ("hits", "items"), records.Hit),
        ("atoms", (), records.Atom),
    ],
)
def test_fields_and_required_ones_are_those_of_the_record(name: str, path: tuple[str, ...], struct: Any) -> None:
    node = schema(name)
    for step in path:
        node = node["items"] if step == "items" else node["properties"][step]
    fields = msgspec.structs.fields(struct)
    assert set(node["properties"]) == {field.name for field in fields}
    assert set(node["required"]) == {field.name for field in fields if field.required}


@pytest.mark.parametrize("modality", records.MODALITIES)
def test_a_region_of_the_modality_passes_and_becomes_a_record(modality: str) -> None:
    for region in REGIONS[modality]:
        assert problems("annotation", annotation(modality, region)) == []
        assert msgspec.convert(annotation(modality, region), records.Annotation).gold[0].region == region
    assert problems("corpus", entry(modality)) == []
    assert msgspec.convert(entry(modality), records.CorpusEntry).extent == EXTENTS[modality]


@pytest.mark.parametrize("modality", records.MODALITIES)
def test_no_other_modality_s_region_or_extent_passes(modality: str) -> None:
    others = [region for other in records.MODALITIES for region in REGIONS[other] if region not in REGIONS[modality]]
    for region in others + MISSHAPEN:
        assert problems("annotation", annotation(modality, region)), region
        assert problems("corpus", entry(modality, units=[{"region": region, "text": ""}])), region
        assert geometry(modality).misshapen(region) or region.get("line") is True or "block" in region
    for extent in EXTENTS.values():
        assert bool(problems("corpus", entry(modality, extent=extent))) == (extent != EXTENTS[modality])


@pytest.mark.parametrize(
    "moment",
    ["2025-03-01", "2025-03-01T09:00:00", "2025-02-30T09:00:00Z", "2025-03-01 09:00:00Z", "yesterday", "", 5, None],
)
def test_a_bad_date_is_refused(moment: Any) -> None:
    assert problems("annotation", annotation(as_of=moment))
    assert problems("corpus", entry(observed_at=moment))
    assert moment is None or problems("votes", {"item": "a", "annotator": "b", "label": "x", "timestamp": moment})


@pytest.mark.parametrize("text", ["", " ", " a", "a ", "a\n", "\ta", "a\nb", "a\0b", "\u00a0a", 5, None])
def test_ids_are_not_empty_and_have_no_blanks_around_them(text: Any) -> None:
    for changes in (
        {"query_id": text},
        {"gold": [{"source_id": text, "region": {"page": 1}}]},
        {"scope": {"holder": text, "session": None, "scenario": "reading"}},
        {"twin_of": {"query_id": text, "kind": "other_holder"}},
    ):
        assert problems("annotation", annotation(**changes)), changes
    session = {"holder": "h", "session": text, "scenario": "reading"}
    assert text is None or problems("annotation", annotation(scope=session))
    assert problems("corpus", entry(source_id=text))
    assert problems("run", {"query_id": text, "hits": []})


@pytest.mark.parametrize(
    ("answer_format", "answer"),
    [("str", "a"), ("int", 3), ("float", 2.5), ("float", 2), ("list", ["a", 1]), ("none", None)],
)
def test_an_answer_is_in_its_format(answer_format: str, answer: Any) -> None:
    assert problems("annotation", annotation(answer_format=answer_format, answer=answer)) == []
    for wrong in ("a", 2.5, ["a"], None, True, {}):
        if type(wrong) is not type(answer) and not (answer_format == "float" and wrong == 2.5):
            assert problems("annotation", annotation(answer_format=answer_format, answer=wrong)), wrong


@pytest.mark.parametrize(
    "changes",
    [
        {"modality": "audio"},
        {"answer_format": "None"},
        {"question": " padded"},
        {"question": ""},
        {"unanswerable": "false"},
        {"split": "train"},
        {"extra": 1},
        {"twin_of": None},
        {"twin_of": {"query_id": "a", "kind": "native"}},
        {"gold": [{"source_id": "docs/a", "region": {"page": 1}, "relevance": 0}]},
        {"gold": [{"source_id": "docs/a", "region": {"page": 1}}] * 2},
        {"gold": [{"source_id": "docs/a"}]},
    ],
)
def test_an_annotation_is_refused_for_one_wrong_field(changes: dict[str, Any]) -> None:
    assert problems("annotation", annotation()) == []
    assert len(problems("annotation", annotation() | changes)) == 1


def test_a_hit_has_a_source_or_an_atom() -> None:
    hit = {"score": 1.5, "strong": True}
    for place in ({"source_id": "a", "region": {"page": 1}}, {"source_id": "a"}, {"atom_id": "x"}):
        assert problems("run", {"query_id": "q", "hits": [hit | place]}) == []
    for place in (
        {},
        {"atom_id": "x", "source_id": "a"},
        {"region": {"page": 1}},
        {"source_id": "a", "region": {"p": 1}},
    ):
        assert problems("run", {"query_id": "q", "hits": [hit | place]}), place
    assert problems("run", {"query_id": "q", "hits": [{"score": "1", "strong": True, "atom_id": "x"}]})


def test_an_atom_covers_at_least_one_region() -> None:
    atom = {"atom_id": "x", "source_id": "a", "regions": [{"page": 1}, {"page": 2}]}
    assert problems("atoms", atom) == []
    assert problems("atoms", atom | {"regions": []})


def test_a_vote_has_one_label_or_a_set_of_them() -> None:
    vote = {"item": "q", "annotator": "ann"}
    for labels in ({"label": "yes"}, {"label": 4}, {"labels": ["a", "b"]}, {"labels": []}):
        assert problems("votes", vote | labels | {"timestamp": "2025-03-01T09:00:00Z", "note": ""}) == []
    for labels in ({}, {"label": ""}, {"label": "a", "labels": ["a"]}, {"labels": ["a", "a"]}, {"label": None}):
        assert problems("votes", vote | labels), labels


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "Infinity"),
        (b'{"a": 1e999}', "beyond what a number holds"),
        (b'{"a": 1, "a": 1}', "stands twice"),
        (b'{"b": {"a": 1, "a": 1}}', "stands twice"),
        (b'\xef\xbb\xbf{"a":1}', "byte order mark"),
        (b'{"a":"\xff"}', "utf-8"),
        (b'{"a":"\\ud800"}', "surrogate"),
        (b'{"a":"cut', "Unterminated"),
        (b'{"a":1} {"a":2}', "Extra data"),
        (b"\n", "blank line"),
        (b"", "blank line"),
        (b"[" * 300 + b"]" * 300, "nested deeper"),
        (b"[" * 100_000, "nested deeper"),
    ],
)
def test_a_line_that_is_no_strict_json_is_refused(line: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_line(line)


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(value=_JSON)
def test_a_line_is_read_as_the_standard_library_reads_it(value: Any) -> None:
    for line in (encode(value) + b"\n", json.dumps(value, indent=1).encode(), json.dumps(value).encode() + b"\r\n"):
        assert parse_line(line) == json.loads(line)
