"""Video-MME (lmms-lab/Video-MME): videos with subtitles, and multiple-choice questions without evidence spans.

source      a video with subtitles, `video-mme/<videoID>`. videoID, the YouTube id, names the .srt file; video_id is a
            running number that names nothing
extent      `duration` in seconds, up to the end of the last cue: the column `duration` is a class (short, medium, long)
unit        a cue of the .srt file, `{t_start, t_end}` in seconds, its text without markup
holder, observed_at, as_of  assigned: upstream states none

No row says where in its video the answer is seen, so every question is kept out (`no_evidence_spans`): it gets no gold
that upstream does not give. The videos stay as sources, for questions that others annotate.

Kept out: videos without subtitles (`no_subtitles`), with two members of that name (`several_subtitles`), not in UTF-8
(`subtitles_not_utf8`), or without a usable cue (`no_usable_cues`); cues whose times cannot be read
(`malformed_cue_time`), are reversed or empty, or are those of an earlier cue (`repeated_span`), and cues without text
(`empty_text`).
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any
from zipfile import ZipFile

from bench.errors import BenchError
from bench.records import Region
from bench.upstream.base import Document, Excluded, Raw, Record, Rows
from bench.upstream.spans import span_fault

SCENARIOS = ()
ASSIGNED = ("holder", "observed_at", "as_of")
_TABLE = "videomme/test-00000-of-00001.parquet"
_COLUMNS = ["videoID", "question_id"]
_TIME = r"(\d+):([0-5]\d):([0-5]\d)[,.](\d{3})"
_CUE_TIMES = re.compile(rf"{_TIME}\s*-->\s*{_TIME}(?:\s.*)?", re.ASCII)
_MARKUP = re.compile(r"</?(?:font|b|i|u)\b[^>]*>", re.IGNORECASE)


def read(raw: Raw) -> Iterator[Record]:
    """Every video that the rows name, with its cues, then every row, each of them kept out."""
    rows = _rows(raw)
    videos = sorted({row["videoID"] for row in rows})
    yield Rows("document", len(videos))
    with ZipFile(raw.path("subtitle.zip")) as archive:
        members: dict[str, list[str]] = {}
        for name in archive.namelist():
            members.setdefault(PurePosixPath(name).name, []).append(name)
        for video in videos:
            yield from _video(video, archive, members.get(f"{video}.srt", []))
    yield Rows("question", len(rows))
    for row in rows:
        yield Excluded("question", row["question_id"], "no_evidence_spans")


def _rows(raw: Raw) -> list[dict[str, Any]]:
    import pyarrow.parquet

    path = raw.path(_TABLE)
    if missing := sorted(set(_COLUMNS) - set(pyarrow.parquet.read_schema(path).names)):
        raise BenchError(
            f"video-mme: {_TABLE} lacks the columns {', '.join(missing)}; earlier revisions had others: "
            "pin ead1408f or a later one"
        )
    rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path, columns=_COLUMNS).to_pylist()
    return rows


def _video(video: str, archive: ZipFile, members: list[str]) -> Iterator[Record]:
    if not members:
        yield Excluded("document", video, "no_subtitles")
        return
    if len(members) > 1:
        yield Excluded("document", video, "several_subtitles", ", ".join(sorted(members)))
        return
    try:
        text = archive.read(members[0]).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield Excluded("document", video, "subtitles_not_utf8", str(error))
        return
    blocks = [block for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n").strip()) if block]
    yield Rows("caption", len(blocks))
    cues: dict[tuple[float, float], str] = {}
    for number, block in enumerate(blocks, 1):
        cue = _cue(block)
        if isinstance(cue, str):
            yield Excluded("caption", f"{video}.srt/{number}", cue, block)
        elif cue[0] in cues:
            yield Excluded("caption", f"{video}.srt/{number}", "repeated_span", block)
        else:
            cues[cue[0]] = cue[1]
    if not cues:
        yield Excluded("document", video, "no_usable_cues")
        return
    units: list[tuple[Region, str]] = [({"t_start": start, "t_end": end}, text) for (start, end), text in cues.items()]
    yield Document(
        source_id=f"video-mme/{video}",
        title=video,
        extent={"duration": max(end for _, end in cues)},
        units=units,
    )


def _cue(block: str) -> tuple[tuple[float, float], str] | str:
    """(span, text) of a block of a .srt file: its number, its times, its lines of text. Else the reason against it."""
    lines = block.split("\n")
    times = _CUE_TIMES.fullmatch(lines[1].strip()) if len(lines) > 1 else None
    if not times:
        return "malformed_cue_time"
    start, end = _seconds(*times.groups()[:4]), _seconds(*times.groups()[4:])
    if fault := span_fault(start, end):
        return fault
    text = " ".join(_MARKUP.sub("", " ".join(lines[2:])).split())
    return ((start, end), text) if text else "empty_text"


def _seconds(hours: str, minutes: str, seconds: str, milliseconds: str) -> float:
    return (((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(milliseconds)) / 1000
