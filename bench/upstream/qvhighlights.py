"""QVHighlights (jayleicn/moment_detr): YouTube clips, and the moments in them that a query describes.

source      a clip, `qvhighlights/<vid>`; its extent is the stated `duration` in seconds; no text, hence no units
query       a row of `files` (option; by default train, val and test_with_gt), asked about its clip (session)
gold        each of its relevant_windows, `{t_start, t_end}` in seconds from the clip's start. Windows stay apart as
            annotated, even where only one 2-second step lies between two of them
holder, observed_at, as_of  assigned: upstream states none
scenario    single_moment or several_moments, by the number of windows
unanswerable  none: upstream has no such class, and a row without windows is no claim that the clip shows nothing

Resolved by rule: windows count from the clip's start to its stated duration, so where that lies more than 2 s from the
span in vid (`<YouTube id>_<start>_<end>`), duration stays (`duration_differs_from_vid`); a window listed twice.

Kept out: questions without the field relevant_windows (`gold_withheld`, as in test_release) or with an empty list
(`no_windows`); with a window that is reversed, empty, or outside the clip; clips to which rows give different
durations (`durations_differ`), and then their questions (`missing_document`).
"""

import re
from collections.abc import Iterator

import msgspec
from msgspec import UNSET, UnsetType

from bench.errors import BenchError
from bench.jsonl import read_rows
from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows
from bench.upstream.spans import span_fault

SCENARIOS = ("single_moment", "several_moments")
ASSIGNED = ("holder", "observed_at", "as_of")
FILES = ("highlight_train_release.jsonl", "highlight_val_release.jsonl", "highlight_test_with_gt.jsonl")
_SPAN_IN_VID = re.compile(r".+_(\d+(?:\.\d+)?)_(\d+(?:\.\d+)?)", re.ASCII)
_TOLERANCE = 2.0  # seconds; the annotation counts in steps of this length


class Row(msgspec.Struct, frozen=True):
    """A line of a release, without the votes on saliency. Windows are UNSET where the release withholds them."""

    qid: int
    query: str
    vid: str
    duration: float
    relevant_windows: list[tuple[float, float]] | UnsetType = UNSET


def read(raw: Raw) -> Iterator[Record]:
    """Every clip that the rows name, then every row of `files`."""
    files = raw.options.get("files", FILES)
    if not isinstance(files, list | tuple) or not files:
        raise BenchError(f"qvhighlights: files is {files!r}; it must list at least one file, such as {FILES[0]}")
    rows = [(f"{file}/{row.qid}", row) for file in files for row in read_rows(raw.path(file), Row)]
    durations: dict[str, set[float]] = {}
    for _, row in rows:
        durations.setdefault(row.vid, set()).add(row.duration)
    yield Rows("document", len(durations))
    for vid, stated in sorted(durations.items()):
        yield from _clip(vid, sorted(stated))
    yield Rows("question", len(rows))
    for item, row in rows:
        yield from _question(item, row, has_document=len(durations[row.vid]) == 1)


def _clip(vid: str, durations: list[float]) -> Iterator[Record]:
    if len(durations) > 1:
        yield Excluded("document", vid, "durations_differ", str(durations))
        return
    duration = durations[0]
    if duration <= 0:
        raise BenchError(f"qvhighlights: clip {vid} has a duration of {duration} s; it must be positive")
    if match := _SPAN_IN_VID.fullmatch(vid):
        span = float(match[2]) - float(match[1])
        if abs(span - duration) > _TOLERANCE:
            yield Resolved(vid, "duration_differs_from_vid", "duration", span, duration)
    yield Document(source_id=_source_id(vid), title=vid, extent={"duration": duration}, units=[])


def _source_id(vid: str) -> str:
    return f"qvhighlights/{vid}"


def _question(item: str, row: Row, has_document: bool) -> Iterator[Record]:
    if isinstance(row.relevant_windows, UnsetType):
        yield Excluded("question", item, "gold_withheld")
        return
    if not row.relevant_windows:
        yield Excluded("question", item, "no_windows")
        return
    for start, end in row.relevant_windows:
        if fault := span_fault(start, end, row.duration):
            yield Excluded("question", item, fault, f"[{start}, {end}] of {row.duration} s")
            return
    if not has_document:
        yield Excluded("question", item, "missing_document", row.vid)
        return
    windows = sorted(set(row.relevant_windows))
    if len(windows) < len(row.relevant_windows):
        yield Resolved(item, "window_listed_twice", "relevant_windows", row.relevant_windows, windows)
    source_id = _source_id(row.vid)
    yield Question(
        item=item,
        about=row.vid,
        question=row.query,
        answer=None,
        answer_format="none",
        gold=[Gold(source_id, {"t_start": start, "t_end": end}) for start, end in windows],
        scenario="single_moment" if len(windows) == 1 else "several_moments",
        session=source_id,
    )
