"""The starter's files: written anew they are the same, the registry pins them, and the adapters read them."""

import base64
import csv
import gzip
import hashlib
import io
from collections import Counter
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pyarrow.parquet
import pytest
from PIL import Image

from bench.records import MODALITIES
from bench.registry import Source, load_source
from bench.starter.generate.__main__ import write
from bench.starter.generate.registry import ENTRIES
from bench.upstream import adapter
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows

ROOT = Path(__file__).resolve().parent.parent
STARTER = ROOT / "bench" / "starter"
NAMES = [entry.name for entry in ENTRIES]

# documents, answerable questions, unanswerable questions
COUNTS = {
    "mmlongbench-doc": (8, 28, 19),
    "visrag": (24, 25, 0),
    "screenqa-short": (44, 49, 0),
    "screenspot-v2": (40, 45, 0),
    "websrc-sample": (40, 40, 0),
    "video-mme": (3, 0, 0),
    "qvhighlights": (27, 24, 0),
    "activitynet-captions": (44, 49, 0),
    "longmemeval": (32, 11, 2),
    "locomo": (20, 39, 10),
    "codesearchnet": (59, 72, 0),
    "pypi-tinytools": (48, 47, 0),
}
# why questions are left out, and by which rules questions and documents are kept with another value
EXCLUDED = {
    "mmlongbench-doc": {
        "page_zero": 1,
        "page_beyond_document": 1,
        "printed_page_label": 1,
        "pages_not_ascending": 1,
        "no_evidence_pages": 1,
        "unanswerable_contradicts_format": 1,
        "missing_document": 1,
    },
    "visrag": {"no_qrels": 1, "missing_document": 1, "only_zero_scores": 1, "no_query": 1},
    "screenqa-short": {
        "no_answer_within_screen": 3,
        "annotators_disagree_on_answerability": 1,
        "missing_document": 1,
        "no_question": 1,
        "model_made": 1,
    },
    "screenspot-v2": {
        "box_outside_screen": 1,
        "box_empty": 1,
        "malformed_box": 1,
        "unknown_element_type": 1,
        "no_instruction": 1,
        "missing_document": 1,
    },
    "websrc-sample": {
        "yes_no_question": 2,
        "element_not_on_page": 1,
        "element_outside_screenshot": 1,
        "missing_document": 1,
        "no_question": 1,
        "element_without_area": 1,
    },
    "video-mme": {"no_evidence_spans": 12},
    "qvhighlights": {"gold_withheld": 1, "no_windows": 1, "beyond_duration": 1},
    "activitynet-captions": {
        "lists_differ": 2,
        "reversed_span": 1,
        "empty_span": 1,
        "beyond_duration": 1,
        "empty_text": 1,
        "missing_document": 1,
    },
    "longmemeval": {
        "evidence_names_no_session": 1,
        "ambiguous_session": 1,
        "missing_document": 1,
        "duplicate_question_id": 1,
    },
    "locomo": {"compound_evidence": 1, "no_evidence": 1, "malformed_evidence": 1, "evidence_names_no_turn": 1},
    "codesearchnet": {
        "judgement_of_a_kept_query": 25,
        "no_positive_judgement": 3,
        "missing_document": 2,
        "short_docstring": 2,
        "url_repeats": 1,
        "no_url": 1,
    },
    "pypi-tinytools": {"short_docstring": 1},
}
RESOLVED = {
    "mmlongbench-doc": {"answer_not_in_its_format": 2, "page_listed_twice": 1, "pages_on_unanswerable": 2},
    "longmemeval": {"answer_on_unanswerable": 2, "sessions_on_unanswerable": 2},
    "locomo": {"zero_padded_evidence": 1, "evidence_listed_twice": 1, "answer_on_adversarial": 1},
    "activitynet-captions": {"end_clipped": 1},
    "codesearchnet": {"mean_of_annotators": 6},
    "qvhighlights": {"duration_differs_from_vid": 1},
}


def source(name: str) -> Source:
    return load_source(f"starter-{name}")


def read(name: str, **options: Any) -> list[Record]:
    entry = source(name)
    raw = Raw(STARTER / name, entry.dataset, entry.revision, {**entry.options, **options})
    return list(adapter(entry.adapter).read(raw))


def files(directory: Path) -> dict[str, Path]:
    return {path.relative_to(directory).as_posix(): path for path in directory.rglob("*") if path.is_file()}


def content(name: str, data: bytes) -> Any:
    """What a file holds, whatever the library that compressed it."""
    if name.endswith(".parquet"):
        return [
            {key: content(value["path"], value["bytes"]) if key == "image" else value for key, value in row.items()}
            for row in pyarrow.parquet.read_table(io.BytesIO(data)).to_pylist()
        ]
    if name.endswith(".png"):
        with Image.open(io.BytesIO(data)) as image:
            return image.size, image.convert("RGB").tobytes()
    if name.endswith(".gz"):
        return gzip.decompress(data)
    if name.endswith(".zip"):
        with ZipFile(io.BytesIO(data)) as archive:
            return {member: content(member, archive.read(member)) for member in archive.namelist()}
    return data


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with starter/ and sources/ as the generator writes them now."""
    pytest.importorskip("reportlab", reason="reportlab writes the starter's PDFs: install requirements/dev.lock")
    folder = tmp_path_factory.mktemp("written")
    (folder / "sources").mkdir()
    write(folder / "starter", folder / "sources")
    return folder


@pytest.mark.parametrize("name", NAMES)
def test_the_generator_writes_what_is_committed(written: Path, name: str) -> None:
    committed, now = files(STARTER / name), files(written / "starter" / name)
    assert sorted(committed) == sorted(now)
    for path, file in now.items():
        old, new = committed[path].read_bytes(), file.read_bytes()
        assert old == new or content(path, old) == content(path, new), path


@pytest.mark.parametrize("name", NAMES)
def test_the_generator_writes_the_registry_entry_that_is_committed(written: Path, name: str) -> None:
    def without_pins(folder: Path) -> list[str]:
        lines = (folder / f"starter-{name}.yaml").read_text("utf-8").splitlines()
        return [line for line in lines if not line.startswith(("  sha256: ", "  bytes: "))]

    assert without_pins(ROOT / "bench" / "sources") == without_pins(written / "sources")


def test_what_was_in_the_way_is_removed(tmp_path: Path) -> None:
    pytest.importorskip("reportlab", reason="reportlab writes the starter's PDFs: install requirements/dev.lock")
    stray = tmp_path / "starter" / "locomo" / "old.json"
    stray.parent.mkdir(parents=True)
    stray.write_text("[]")
    (tmp_path / "sources").mkdir()
    write(tmp_path / "starter", tmp_path / "sources")
    assert not stray.exists()


@pytest.mark.parametrize("name", NAMES)
def test_the_registry_pins_the_files_that_lie_there(name: str) -> None:
    entry, found = source(name), files(STARTER / name)
    assert sorted(file.path for file in entry.files) == sorted(found)
    for file in entry.files:
        data = found[file.path].read_bytes()
        assert (file.sha256, file.bytes) == (hashlib.sha256(data).hexdigest(), len(data))
        assert file.url == f"file:bench/starter/{name}/{file.path}"
    assert entry.licence.spdx == "CC0-1.0"


def test_the_files_are_small() -> None:
    sizes = [path.stat().st_size for path in files(STARTER).values() if "__pycache__" not in path.parts]
    assert max(sizes) < 300_000
    assert sum(sizes) < 1_500_000


@pytest.mark.parametrize("name", NAMES)
def test_the_adapter_reads_them_with_every_row_accounted_for(name: str) -> None:
    records = read(name)
    questions = [record for record in records if isinstance(record, Question)]
    documents = [record for record in records if isinstance(record, Document)]
    unanswerable = sum(question.unanswerable for question in questions)
    assert (len(documents), len(questions) - unanswerable, unanswerable) == COUNTS[name]
    for kind, kept in (("document", documents), ("question", questions)):
        excluded = sum(isinstance(record, Excluded) and record.kind == kind for record in records)
        total = sum(record.total for record in records if isinstance(record, Rows) and record.kind == kind)
        assert total == len(kept) + excluded


@pytest.mark.parametrize("name", NAMES)
def test_faults_are_left_out_or_resolved(name: str) -> None:
    records = read(name)
    excluded = Counter(
        record.reason for record in records if isinstance(record, Excluded) and record.kind == "question"
    )
    assert excluded == EXCLUDED[name]
    assert Counter(record.rule for record in records if isinstance(record, Resolved)) == RESOLVED.get(name, {})


@pytest.mark.parametrize("name", NAMES)
def test_the_registry_says_whether_there_is_text(name: str) -> None:
    documents = [record for record in read(name) if isinstance(record, Document)]
    assert {bool(document.units) for document in documents} == {source(name).text == "units"}


def test_every_modality_has_a_source_with_text_and_questions() -> None:
    asked = {source(name).modality for name in NAMES if source(name).text == "units" and sum(COUNTS[name][1:])}
    assert asked == set(MODALITIES)


def test_locomo_has_three_states_of_labels() -> None:
    def gold(labels: str) -> dict[str, Any]:
        return {record.item: record.gold for record in read("locomo", labels=labels) if isinstance(record, Question)}

    original, corrected, audit = gold("original"), gold("corrected"), gold("audit")
    assert corrected == audit
    assert {item for item in audit if audit[item] != original.get(item)} == {
        "conv-a/qa/11",
        "conv-b/qa/17",
        "conv-c/qa/12",
    }


def test_the_record_of_the_wheel_is_true() -> None:
    with ZipFile(STARTER / "pypi-tinytools" / "tinytools-1.0-py3-none-any.whl") as wheel:
        members = {name: wheel.read(name) for name in wheel.namelist()}
    record = "tinytools-1.0.dist-info/RECORD"
    rows = {path: (digest, size) for path, digest, size in csv.reader(io.StringIO(members[record].decode()))}
    assert rows.pop(record) == ("", "")
    assert rows == {
        name: (
            "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("="),
            str(len(data)),
        )
        for name, data in members.items()
        if name != record
    }
