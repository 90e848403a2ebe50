"""ActivityNet Captions: val_1.json, whose sentences ask, and val_2.json, whose captions are searched.

Faults on purpose: an end 0.01 s beyond the duration, a reversed and an empty span, an end far beyond the duration, a
sentence of blanks, lists of two lengths, and a video without a second annotation. Stray blanks are upstream's habit.
"""

from typing import Any

from bench.starter.generate.files import json_bytes, text_blocks

Video = dict[str, Any]
_FAULTY_EVENTS = (
    ([30.0, 12.5], "He turns around."),
    ([20.0, 20.0], "A whistle blows."),
    ([70.0, 95.0], "They rest."),
    ([5.0, 9.0], "  "),
)


def files() -> dict[str, bytes]:
    """Both annotations of the same videos."""
    asking: dict[str, Video] = {}
    captions: dict[str, Video] = {}
    for heading, body in text_blocks("activitynet"):
        name, duration = heading.split()
        asking[name] = _video(float(duration), body, "? ")
        captions[name] = _video(float(duration), body, "> ")
    _add_faults(asking, captions)
    return {"val_1.json": json_bytes(asking), "val_2.json": json_bytes(captions)}


def _video(duration: float, body: str, mark: str) -> Video:
    rows = [line[2:].split(" | ") for line in body.splitlines() if line.startswith(mark)]
    return {
        "duration": duration,
        "timestamps": [[float(number) for number in span.split()] for span, _ in rows],
        "sentences": [f" {text}" for _, text in rows],
    }


def _add_faults(asking: dict[str, Video], captions: dict[str, Video]) -> None:
    captions["v_run02"]["timestamps"][1][1] += 0.01
    for span, text in _FAULTY_EVENTS:
        asking["v_run01"]["timestamps"].append(span)
        asking["v_run01"]["sentences"].append(text)
    captions["v_craft03"]["timestamps"].append([60.0, 59.0])
    captions["v_craft03"]["sentences"].append("A bird looks in.")
    asking["v_spare01"] = {"duration": 30.0, "timestamps": [[0.0, 30.0]], "sentences": ["Nothing moves on the road."]}
    asking["v_paint03"]["sentences"].append("The mirror falls.")
