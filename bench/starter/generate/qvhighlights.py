"""QVHighlights: highlight_val_release.jsonl, moments of clips of 150 seconds, in steps of two seconds.

Faults on purpose: a row without the windows (as in the test release), an empty list, a window beyond the clip, a
duration that the name of the clip contradicts.
"""

from typing import Any

from bench.starter.generate.files import jsonl_bytes

_QUERIES = (
    ("A woman shows the view from a lighthouse", [[12, 48]]),
    ("Two friends taste noodles at a market stall", [[30, 62], [90, 104]]),
    ("A man repairs a bicycle tyre by the road", [[0, 40]]),
    ("Children feed goats at a farm", [[64, 118]]),
    ("A train arrives at a small station in snow", [[22, 50]]),
    ("A girl plays the harp on a stage", [[4, 36], [38, 70]]),
    ("The host opens a parcel with books", [[10, 56]]),
    ("Someone walks through a street market at night", [[80, 150]]),
    ("A chef cuts onions and talks to the camera", [[16, 44]]),
    ("Fishermen pull a net into their boat", [[52, 96]]),
    ("A couple dances in an empty hall", [[100, 134]]),
    ("A reporter stands in front of a flooded house", [[0, 28]]),
    ("Players shake hands after the match", [[126, 150]]),
    ("A drone flies over terraced fields", [[40, 74]]),
    ("An old man tells a story by the fire", [[8, 110]]),
    ("A woman packs her rucksack on the bed", [[2, 30]]),
    ("Kittens sleep in a basket", [[60, 92], [94, 120]]),
    ("A student presents a poster", [[34, 88]]),
    ("A potter glazes a bowl", [[70, 100]]),
    ("Cyclists climb a steep pass", [[46, 82]]),
    ("A family sets up a tent", [[18, 76]]),
    ("A band rehearses in a cellar", [[20, 58]]),
    ("Dancers in costume cross a bridge", [[112, 140]]),
    ("A gardener prunes roses", [[28, 66]]),
)
_FIRST_QID = 9001


def files() -> dict[str, bytes]:
    """The validation file."""
    rows = [_row(number, query, windows) for number, (query, windows) in enumerate(_QUERIES)]
    rows[3] |= {"duration": 126}  # the name says 150
    withheld = _row(len(rows), "A plane lands in fog", [[0, 20]])
    del withheld["relevant_windows"], withheld["relevant_clip_ids"], withheld["saliency_scores"]
    nothing = _row(len(rows) + 1, "A magician drops his cards", [])
    too_long = _row(len(rows) + 2, "Rowers pass a bridge", [[140, 158]])
    return {"highlight_val_release.jsonl": jsonl_bytes([*rows, withheld, nothing, too_long])}


def _row(number: int, query: str, windows: list[list[int]]) -> dict[str, Any]:
    clips = [clip for start, end in windows for clip in range(start // 2, end // 2)]
    start = 60 + 150 * (number % 3)
    return {
        "qid": _FIRST_QID + number,
        "query": query,
        "duration": 150,
        "vid": f"st{number:02d}aQvHighl_{start}.0_{start + 150}.0",
        "relevant_clip_ids": clips,
        "saliency_scores": [[2 + (clip + number) % 3, 3, 1 + clip % 4] for clip in clips],
        "relevant_windows": windows,
    }
