"""Video-MME: a tiny release as parquet and zip. The real one cannot be fetched here; its columns are as published."""

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pyarrow
import pyarrow.parquet
import pytest

from bench.errors import BenchError
from bench.upstream import video_mme
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows

CUE = "1\n00:00:01,500 --> 00:00:03,000\nA kettle boils.\n"


def question(video_id: str, video: str, number: int = 1) -> dict[str, Any]:
    return {
        "video_id": video_id,
        "duration": "short",
        "domain": "Cooking",
        "sub_category": "Tea",
        "url": f"https://videos.example/{video}",
        "videoID": video,
        "question_id": f"{video_id}-{number}",
        "task_type": "Counting",
        "question": "How many cups are poured?",
        "options": ["A. One.", "B. Two.", "C. Three.", "D. None."],
        "answer": "B",
    }


def read(directory: Path, rows: list[dict[str, Any]], members: dict[str, str | bytes]) -> list[Record]:
    (directory / "videomme").mkdir()
    table = pyarrow.Table.from_pylist(rows)
    pyarrow.parquet.write_table(table, directory / "videomme" / "test-00000-of-00001.parquet")
    with ZipFile(directory / "subtitle.zip", "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return list(video_mme.read(Raw(directory, "video-mme", "r1", {})))


def of(records: list[Record], kind: type) -> list[Any]:
    return [record for record in records if isinstance(record, kind)]


def test_no_question_gets_gold_and_a_video_is_named_by_its_youtube_id(tmp_path: Path) -> None:
    rows = [question("001", "kQ1", 1), question("001", "kQ1", 2), question("002", "001")]
    records = read(tmp_path, rows, {"subtitle/kQ1.srt": CUE, "__MACOSX/subtitle/._kQ1.srt": b"\x00"})
    assert of(records, Rows) == [Rows("document", 2), Rows("caption", 1), Rows("question", 3)]
    assert [(left.kind, left.item, left.reason) for left in of(records, Excluded)] == [
        ("document", "001", "no_subtitles"),
        ("question", "001-1", "no_evidence_spans"),
        ("question", "001-2", "no_evidence_spans"),
        ("question", "002-1", "no_evidence_spans"),
    ]
    assert not of(records, Question)
    assert of(records, Document) == [
        Document(
            source_id="video-mme/kQ1",
            title="kQ1",
            extent={"duration": 3.0},
            units=[({"t_start": 1.5, "t_end": 3.0}, "A kettle boils.")],
        )
    ]


def test_cues_lose_their_markup_and_keep_their_words(tmp_path: Path) -> None:
    text = (
        '\ufeff1\r\n01:02:03,004 --> 01:02:05,000 X1:10\r\n<font color="#ffffff">Two  lines,</font>\r\n<i>a < b</i>\r\n'
        "\r\n\r\n2\r\n00:00:02.000 --> 00:00:04.000\r\nearlier\r\n"
    )
    (document,) = of(read(tmp_path, [question("001", "kQ1")], {"kQ1.srt": text}), Document)
    assert document.units == [
        ({"t_start": 3723.004, "t_end": 3725.0}, "Two lines, a < b"),
        ({"t_start": 2.0, "t_end": 4.0}, "earlier"),
    ]
    assert document.extent == {"duration": 3725.0}


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("2\n00:00:05 --> 00:00:06\nNo milliseconds.", "malformed_cue_time"),
        ("2\n00:61:05,000 --> 00:62:06,000\nNo such minute.", "malformed_cue_time"),
        ("2\nNo times at all.", "malformed_cue_time"),
        ("A stray line", "malformed_cue_time"),
        ("2\n00:00:06,000 --> 00:00:05,000\nBack.", "reversed_span"),
        ("2\n00:00:05,000 --> 00:00:05,000\nStill.", "empty_span"),
        ("2\n00:00:01,500 --> 00:00:03,000\nAgain.", "repeated_span"),
        ("2\n00:00:05,000 --> 00:00:06,000\n<font size=2> </font>", "empty_text"),
        ("2\n00:00:05,000 --> 00:00:06,000", "empty_text"),
    ],
)
def test_a_bad_cue_is_left_out_and_counted(tmp_path: Path, block: str, reason: str) -> None:
    records = read(tmp_path, [question("001", "kQ1")], {"kQ1.srt": f"{CUE}\n{block}\n"})
    assert of(records, Rows)[1] == Rows("caption", 2)
    assert of(records, Excluded)[0] == Excluded("caption", "kQ1.srt/2", reason, block)
    assert len(of(records, Document)[0].units) == 1


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"KQ1.srt": CUE, "kQ1.srt.txt": CUE, "xkQ1.srt": CUE}, "no_subtitles"),
        ({"a/kQ1.srt": CUE, "b/kQ1.srt": CUE}, "several_subtitles"),
        ({"kQ1.srt": b"1\n00:00:01,000 --> 00:00:02,000\n\xff\xfe\n"}, "subtitles_not_utf8"),
        ({"kQ1.srt": "\n\n"}, "no_usable_cues"),
        ({"kQ1.srt": "1\nnothing"}, "no_usable_cues"),
    ],
)
def test_a_video_without_readable_subtitles_is_no_source(
    tmp_path: Path, members: dict[str, str | bytes], reason: str
) -> None:
    records = read(tmp_path, [question("001", "kQ1")], members)
    assert [left.reason for left in of(records, Excluded) if left.kind == "document"] == [reason]
    assert not of(records, Document)


def test_another_revision_of_the_table_is_refused(tmp_path: Path) -> None:
    nested = {"video_id": "001", "questions": ["How many?"]}
    with pytest.raises(BenchError, match="lacks the columns question_id, videoID"):
        read(tmp_path, [nested], {})
