"""ActivityNet Captions: what happens in a video and when, told twice by independent annotators.

source      a video that val_2.json captions, `activitynet-captions/<v_id>`; its extent is `duration` in seconds
unit        a caption of val_2.json, `{t_start, t_end}` in seconds, its text without the blanks around it
query       a sentence of val_1.json, asked of all videos that its holder has (no session)
gold        the sentence's own span in val_1.json
holder, observed_at, as_of  assigned: upstream states none
scenario    event_description
unanswerable  none: upstream has no such class

The two files are never united: one annotator's sentences ask, and what is found is the other's. Events may overlap.

Resolved by rule: an end at most 0.01 s beyond the duration is a matter of rounding, and is clipped (`end_clipped`).
Kept out alike as questions and as captions: spans that are reversed, empty, negative, or end farther beyond the
duration; sentences without text; all of a video whose lists are not of one length (`lists_differ`). Then videos that
val_2.json lacks (`no_second_annotation`), to which the files give different durations (`durations_differ`), or of
which no caption is usable (`no_usable_captions`), and the questions about these (`missing_document`).
"""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Annotated

import msgspec

from bench.errors import BenchError
from bench.records import Gold, Region
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Resolved, Rows
from bench.upstream.spans import span_fault

SCENARIOS = ("event_description",)
ASSIGNED = ("holder", "observed_at", "as_of")
_ROUNDING = 0.01  # seconds


class Video(msgspec.Struct, frozen=True):
    """What one annotator says of a video: `sentences` and `timestamps` belong together by position."""

    duration: Annotated[float, msgspec.Meta(gt=0)]
    timestamps: list[tuple[float, float]]
    sentences: list[str]

    @property
    def rows(self) -> int:
        """How many sentences or timestamps there are, whichever are more."""
        return max(len(self.sentences), len(self.timestamps))


class Event(msgspec.Struct, frozen=True):
    """A usable sentence of a video, and what was resolved in its span."""

    item: str
    region: Region
    text: str
    clipped: Resolved | None


def read(raw: Raw) -> Iterator[Record]:
    """Every video of either file, every caption of val_2.json, then every sentence of val_1.json."""
    asking, captions = _videos(raw, "val_1.json"), _videos(raw, "val_2.json")
    names = sorted({*asking, *captions})
    yield Rows("document", len(names))
    yield Rows("caption", sum(video.rows for video in captions.values()))
    documents = set()
    for name in names:
        for record in _document(name, asking.get(name), captions.get(name)):
            if isinstance(record, Document):
                documents.add(name)
            yield record
    yield Rows("question", sum(video.rows for video in asking.values()))
    for name, video in asking.items():
        for row in _events("question", f"val_1/{name}", video):
            if isinstance(row, Event):
                yield from _question(name, row, name in documents)
            else:
                yield row


def _videos(raw: Raw, file: str) -> dict[str, Video]:
    try:
        return msgspec.json.decode(raw.path(file).read_bytes(), type=dict[str, Video])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BenchError(f"activitynet-captions: {file} is not in the released format: {error}") from None


def _document(name: str, asking: Video | None, captions: Video | None) -> Iterator[Record]:
    if captions is None:
        yield Excluded("document", name, "no_second_annotation")
        return
    events = []
    for row in _events("caption", f"val_2/{name}", captions):
        if isinstance(row, Event):
            events.append(row)
        else:
            yield row
    if asking and asking.duration != captions.duration:
        yield Excluded("document", name, "durations_differ", f"{asking.duration} s, {captions.duration} s")
        for event in events:
            yield Excluded("caption", event.item, "missing_document", name)
        return
    if not events:
        yield Excluded("document", name, "no_usable_captions")
        return
    yield from (event.clipped for event in events if event.clipped)
    yield Document(
        source_id=_source_id(name),
        title=name,
        extent={"duration": captions.duration},
        units=[(event.region, event.text) for event in events],
    )


def _source_id(name: str) -> str:
    return f"activitynet-captions/{name}"


def _events(kind: str, where: str, video: Video) -> Iterator[Event | Excluded]:
    """Every row of a video, as an event or as excluded, in the order of the file."""
    same_length = len(video.sentences) == len(video.timestamps)
    for row, (sentence, span) in enumerate(zip_longest(video.sentences, video.timestamps)):
        item = f"{where}/{row}"
        if not same_length:
            detail = f"{len(video.sentences)} sentences, {len(video.timestamps)} timestamps"
            yield Excluded(kind, item, "lists_differ", detail)
            continue
        start, written = span
        clips = start < video.duration < written and round(written - video.duration, 6) <= _ROUNDING
        end = video.duration if clips else written
        if fault := span_fault(start, end, video.duration):
            yield Excluded(kind, item, fault, f"[{start}, {written}] of {video.duration} s")
            continue
        if not sentence.strip():
            yield Excluded(kind, item, "empty_text")
            continue
        clipped = Resolved(item, "end_clipped", "timestamps", written, end) if clips else None
        yield Event(item, {"t_start": start, "t_end": end}, sentence.strip(), clipped)


def _question(name: str, event: Event, has_document: bool) -> Iterator[Record]:
    if not has_document:
        yield Excluded("question", event.item, "missing_document", name)
        return
    if event.clipped:
        yield event.clipped
    yield Question(
        item=event.item,
        about=name,
        question=event.text,
        answer=None,
        answer_format="none",
        gold=[Gold(_source_id(name), event.region)],
        scenario="event_description",
    )
