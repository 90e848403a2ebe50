"""How much of a gold region a hit covers by itself, for the modalities that count overlap."""

from collections.abc import Sequence

from bench.modalities import ui_screenshot, video
from bench.records import Region


def iou(modality: str, regions: Sequence[Region], gold: Region) -> float | None:
    """Intersection over union of the regions, taken together, with `gold`; None where no overlap is counted."""
    if modality == "video":
        spans = [(region["t_start"], region["t_end"]) for region in regions]
        start, end = span = gold["t_start"], gold["t_end"]
        common = video.length([(max(first, start), min(last, end)) for first, last in spans])
        return common / video.length([*spans, span])
    if modality == "ui_screenshot":
        boxes = [(x0, y0, x1, y1) for x0, y0, x1, y1 in (region["bbox"] for region in regions)]
        x0, y0, x1, y1 = box = gold["bbox"]
        cut = [(max(a0, x0), max(b0, y0), min(a1, x1), min(b1, y1)) for a0, b0, a1, b1 in boxes]
        common = ui_screenshot.area([each for each in cut if each[0] < each[2] and each[1] < each[3]])
        return common / ui_screenshot.area([*boxes, (box[0], box[1], box[2], box[3])])
    return None
