"""What a reference system searches: every unit of one modality, with its owner and its time.

A source without text has no units; it is cut into a stated grid, so that a system that reads nothing can still point
somewhere.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.jsonl import encode
from bench.records import Annotation, CorpusEntry, Region
from bench.times import parse


@dataclass(frozen=True)
class Place:
    """A region of a source, known by its docid, which also breaks ties. Units on one place are one, texts joined."""

    docid: bytes
    source_id: str = field(compare=False)
    region: Region = field(compare=False)


class Units:
    """Parallel arrays over the units: `places`, `texts`, and what decides who may see them when.

    `with_text` are the units that a system which reads has to search: no cell of a grid, no empty page.
    """

    def __init__(self, entries: Iterable[CorpusEntry], grid: dict[str, Any]) -> None:
        self.places: list[Place] = []
        self.texts: list[str] = []
        self._holders: dict[str, int] = {}
        self._spans: dict[str, tuple[int, int]] = {}
        holders: list[int] = []
        times: list[int] = []
        for entry in entries:
            drawn = [(unit.region, unit.text) for unit in entry.units]
            texts: dict[Place, list[str]] = defaultdict(list)
            for region, text in drawn or [(region, "") for region in cells(entry, grid)]:
                docid = f"{entry.source_id}#".encode() + encode(region)
                texts[Place(docid, entry.source_id, region)].append(text)
            self._spans[entry.source_id] = (len(self.places), len(self.places) + len(texts))
            self.places += texts
            self.texts += ["\n".join(parts) for parts in texts.values()]
            holders += [self._holders.setdefault(entry.holder, len(self._holders))] * len(texts)
            times += [_seconds(entry.observed_at)] * len(texts)
        self.with_text = np.flatnonzero([bool(text) for text in self.texts])
        self._holder = np.array(holders, dtype=np.int32)
        self._time = np.array(times, dtype=np.int64)

    def visible(self, query: Annotation) -> npt.NDArray[np.intp]:
        """The units that the query's holder had at its as_of, within its session where it names one."""
        seen = (self._holder == self._holders.get(query.scope.holder, -1)) & (self._time <= _seconds(query.as_of))
        if query.scope.session is None:
            return np.flatnonzero(seen)
        first, end = self._spans[query.scope.session]
        return first + np.flatnonzero(seen[first:end])

    def all(self) -> npt.NDArray[np.intp]:
        """Every unit."""
        return np.arange(len(self.places))


def cells(entry: CorpusEntry, grid: dict[str, Any]) -> list[Region]:
    """The grid over a source without text: spans of a video, boxes of a screenshot, the whole of a picture."""
    if entry.modality == "image":
        return [{}]
    if entry.modality == "video":
        count = grid["video_spans"]
        edges = [entry.extent["duration"] * step / count for step in range(count + 1)]
        return [{"t_start": edges[step], "t_end": edges[step + 1]} for step in range(count)]
    if entry.modality == "ui_screenshot":
        columns, rows = grid["ui_columns"], grid["ui_rows"]
        xs = [entry.extent["width"] * step / columns for step in range(columns + 1)]
        ys = [entry.extent["height"] * step / rows for step in range(rows + 1)]
        return [
            {"bbox": [xs[column], ys[row], xs[column + 1], ys[row + 1]]}
            for row in range(rows)
            for column in range(columns)
        ]
    return []


def _seconds(moment: str) -> int:
    return int(parse(moment).timestamp())
