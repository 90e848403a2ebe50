"""ScreenSpot-v2: three label files as the upstream releases them, boxes as [x, y, width, height] in pixels, and images.

Faults on purpose: a box that leaves its screen, one without height, three numbers in place of four, an unknown type,
an empty instruction, a screenshot that the archive lacks, and one instruction twice on one screenshot.
"""

from typing import Any, NamedTuple

from bench.starter.generate.files import Box, json_bytes, png_bytes, zip_bytes


class Layout(NamedTuple):
    """A kind of screen: its size, and {place of an element: (x, y, width, height)}, all in pixels."""

    size: tuple[int, int]
    places: dict[str, Box]


_DESKTOP = Layout(
    (320, 200),
    {
        "close": (296, 2, 20, 14),
        "minimise": (250, 2, 20, 14),
        "menu": (4, 20, 48, 14),
        "search": (200, 20, 112, 14),
        "first": (12, 60, 88, 24),
        "second": (12, 92, 88, 24),
        "canvas": (120, 44, 190, 120),
        "status": (4, 184, 312, 12),
    },
)
_MOBILE = Layout(
    (160, 288),
    {
        "back": (4, 6, 22, 18),
        "share": (132, 6, 22, 18),
        "first": (10, 40, 140, 40),
        "second": (10, 92, 140, 40),
        "switch": (116, 148, 34, 18),
        "confirm": (20, 230, 120, 30),
    },
)
_WEB = Layout(
    (360, 220),
    {
        "logo": (6, 4, 60, 18),
        "account": (320, 4, 34, 18),
        "search": (100, 4, 160, 18),
        "first": (10, 50, 100, 60),
        "second": (128, 50, 100, 60),
        "third": (246, 50, 100, 60),
        "buy": (246, 170, 100, 26),
    },
)
# Each row: the instructions on one screenshot, as (place, type, instruction).
_Screen = tuple[tuple[str, str, str], ...]
_SCREENS: dict[str, tuple[Layout, str, tuple[_Screen, ...]]] = {
    "desktop": (_DESKTOP, "windows", (
        (("close", "icon", "close the drawing program"), ("canvas", "icon", "click into the picture")),
        (("minimise", "icon", "make this window small"),),
        (("menu", "text", "open the file menu"),),
        (("search", "text", "look for a setting"),),
        (("first", "text", "save the document"), ("second", "text", "print the document")),
        (("status", "text", "read how many words there are"),),
        (("first", "text", "start the backup"),),
        (("second", "text", "undo the last step"),),
        (("canvas", "icon", "select the map"),),
        (("close", "icon", "leave the calculator"),),
        (("menu", "text", "change the language"),),
        (("search", "text", "find a contact"),),
        (("first", "text", "connect to the printer"),),
        (("minimise", "icon", "hide the music player"),),
    )),
    "mobile": (_MOBILE, "android", (
        (("back", "icon", "go back to the list of songs"),),
        (("share", "icon", "send this recipe to a friend"),),
        (("first", "text", "open the weather of Sundby"), ("switch", "icon", "turn on warnings")),
        (("second", "text", "show yesterday's run"),),
        (("confirm", "text", "pay for the ticket"),),
        (("switch", "icon", "turn on dark mode"),),
        (("first", "text", "read the first message"),),
        (("back", "icon", "leave the settings"),),
        (("confirm", "text", "book the table"),),
        (("second", "text", "choose the cheaper room"),),
        (("share", "icon", "share my location"),),
        (("first", "text", "play the podcast"),),
        (("switch", "icon", "stop the alarm on Sundays"),),
        (("confirm", "text", "add the stop to my route"),),
    )),
    "web": (_WEB, "shop", (
        (("account", "icon", "see my orders"),),
        (("search", "text", "search for walking boots"),),
        (("first", "icon", "look at the red lamp"), ("buy", "text", "put the lamp into the basket")),
        (("second", "icon", "look at the blue rug"),),
        (("third", "icon", "open the article on terns"),),
        (("logo", "icon", "return to the start page"),),
        (("buy", "text", "subscribe to the newsletter"),),
        (("account", "icon", "sign out"),),
        (("first", "icon", "open the newest issue"),),
        (("second", "icon", "reply to the second post"),),
        (("search", "text", "search the forum for kettles"),),
        (("third", "icon", "merge the third request"),),
    )),
}  # fmt: skip
_PREFIX = {"desktop": "pc", "mobile": "mobile", "web": "web"}
_COLOURS = ("lightblue", "khaki", "lightgreen", "pink", "orange", "lightgrey", "plum")


def files() -> dict[str, bytes]:
    """The three label files and the archive of images."""
    labels: dict[str, list[dict[str, Any]]] = {}
    images: dict[str, bytes] = {}
    for group, (layout, platform, screens) in _SCREENS.items():
        rows = labels[group] = []
        for number, elements in enumerate(screens):
            name = f"{_PREFIX[group]}_{number:02d}.png"
            images[f"screenspotv2_image/{name}"] = _picture(layout, number)
            rows += [_row(name, layout.places[place], text, kind, platform) for place, kind, text in elements]
    labels["desktop"] += _faulty()
    return {
        **{f"screenspot_{group}_v2.json": json_bytes(rows, indent=4) for group, rows in labels.items()},
        "screenspotv2_image.zip": zip_bytes(images),
    }


def _row(name: str, box: object, instruction: str, kind: str, platform: str) -> dict[str, Any]:
    return {
        "img_filename": name,
        "bbox": box,
        "instruction": instruction,
        "data_type": kind,
        "data_source": platform,
    }


def _faulty() -> list[dict[str, Any]]:
    return [
        _row("pc_02.png", [300, 20, 48, 14], "open the help menu", "text", "macos"),
        _row("pc_03.png", [200, 20, 112, 0], "clear the search", "icon", "macos"),
        _row("pc_05.png", [4, 184, 312], "see the line number", "text", "macos"),
        _row("pc_06.png", [12, 60, 88, 24], "stop the backup", "image", "macos"),
        _row("pc_07.png", [12, 92, 88, 24], "", "text", "macos"),
        _row("pc_99.png", [12, 92, 88, 24], "restart the computer", "text", "macos"),
        _row("pc_02.png", [4, 20, 48, 14], "open the file menu", "text", "windows"),
    ]


def _picture(layout: Layout, number: int) -> bytes:
    boxes = [
        ((x, y, x + width - 1, y + height - 1), _COLOURS[(position + number) % len(_COLOURS)])
        for position, (x, y, width, height) in enumerate(layout.places.values())
    ]
    return png_bytes(layout.size, boxes, [(layout.size[0] // 2, layout.size[1] - 14, f"{number}")])
