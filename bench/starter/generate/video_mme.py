"""Video-MME: the table of questions, and subtitles in an archive.

Upstream says nowhere in which span an answer is seen, so every question is excluded; the file is here so that the
starter shows it. Faults on purpose: a video without subtitles, and a cue without text.
"""

from bench.starter.generate.files import parquet_bytes, zip_bytes

_VIDEOS = (
    ("001", "short", "Knowledge", "Geography", "stVmme00001", (
        "Tonight we sail to the island of the puffins.",
        "The <font color=\"#ffffff\">lighthouse</font> was built in 1874 by two brothers.",
        "Their boat lies on the beach to this day.",
    )),
    ("002", "medium", "Life Record", "Food", "stVmme00002", (
        "First we soak the beans for twelve hours.",
        "",
        "Then the pot goes into the straw, and we forget it until evening.",
    )),
    ("003", "long", "Sports Competition", "Athletics", "stVmme00003", (
        "She clears the bar at the third attempt.",
        "The crowd from Skov waves its green scarves.",
    )),
    ("004", "short", "Artistic Performance", "Magic Show", "stVmme00004", ()),
)  # fmt: skip
_QUESTIONS = {
    "001": (("Who built the lighthouse?", "Two brothers", "A king", "Monks", "Fishermen"),
            ("Which birds live on the island?", "Puffins", "Geese", "Swans", "Herons"),
            ("Where is the boat now?", "On the beach", "In a museum", "At sea", "In a barn")),
    "002": (("How long are the beans soaked?", "Twelve hours", "One hour", "Two days", "Not at all"),
            ("What keeps the pot warm?", "Straw", "A stove", "Sand", "A blanket"),
            ("When is the meal ready?", "In the evening", "At noon", "At dawn", "The next week")),
    "003": (("At which attempt does she succeed?", "The third", "The first", "The second", "The fourth"),
            ("What do the spectators wave?", "Scarves", "Flags", "Hats", "Flowers"),
            ("Which sport is shown?", "High jump", "Sprint", "Javelin", "Hurdles")),
    "004": (("What vanishes last?", "The rabbit", "The hat", "The table", "The magician"),
            ("How many cards fall?", "Three", "One", "Five", "None"),
            ("What colour is the curtain?", "Red", "Blue", "Green", "Black")),
}  # fmt: skip
_LETTERS = "ABCD"


def files() -> dict[str, bytes]:
    """The table and the archive of subtitles."""
    rows = [
        {
            "video_id": number,
            "duration": length,
            "domain": domain,
            "sub_category": category,
            "url": f"https://www.youtube.com/watch?v={video}",
            "videoID": video,
            "question_id": f"{number}-{position}",
            "task_type": "Information Synopsis",
            "question": question,
            "options": [f"{letter}. {option}." for letter, option in zip(_LETTERS, options, strict=True)],
            "answer": "A",
        }
        for number, length, domain, category, video, _ in _VIDEOS
        for position, (question, *options) in enumerate(_QUESTIONS[number], 1)
    ]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    subtitles = {f"subtitle/{video}.srt": _srt(cues) for *_, video, cues in _VIDEOS if cues}
    return {
        "videomme/test-00000-of-00001.parquet": parquet_bytes(columns),
        "subtitle.zip": zip_bytes(subtitles),
    }


def _srt(cues: tuple[str, ...]) -> bytes:
    """Cues of four seconds, one after another."""
    blocks = [
        f"{number}\n00:00:{4 * number - 4:02d},000 --> 00:00:{4 * number:02d},000\n{cue}\n"
        for number, cue in enumerate(cues, 1)
    ]
    return "\n".join(blocks).encode()
