"""VisRAG-Ret-Test: pictures, queries and judgements as the three parquet folders of the hub. There is no text.

Faults on purpose: two pictures of equal bytes, a query without judgements, one whose picture is missing, one with
scores of zero only, and a judgement of a query that is no row.
"""

from typing import Any

from bench.starter.generate.files import Box, parquet_bytes, png_bytes

_COLOURS = ("steelblue", "seagreen", "goldenrod", "indianred")
# What a picture shows, the names of its bars, their values, and what is asked about it.
_CHARTS = (
    ("Ferry passengers", "Q1 Q2 Q3 Q4", (90, 130, 210, 82), "In which quarter did most people take the ferry?", "Q3"),
    ("Pairs of lapwing", "1998 2006 2014 2022", (71, 52, 38, 23), "How many lapwing pairs were left in 2022?", "23"),
    ("Late shifts", "2017 2018 2019 2020", (40, 41, 50, 53), "What percentage did late shifts reach in 2020?", "53"),
    ("Loaves sold", "Mon Wed Fri Sat", (60, 72, 95, 140), "On which day does the bakery sell most?", "Sat"),
    ("Museum tickets", "Adult Student Child", (8, 5, 1), "What does a student pay at the museum?", "5"),
    ("River level", "Dec Jan Feb Mar", (240, 465, 310, 190), "In which month did the river peak?", "Jan"),
    ("Roof panels", "Pool School Barn", (612, 180, 95), "Which roof carries the fewest panels?", "Barn"),
    ("Timber exports", "2020 2021 2022 2023", (11, 12, 13, 14), "How did wood exports go after 2020?", "They rose"),
    ("Herring landed", "May Jun Jul Aug", (40, 66, 71, 30), "In which summer month was most herring caught?", "Jul"),
    ("Robot points", "Skov Elm Holt", (98, 91, 60), "Which team came first with its robot?", "Skov"),
    ("Thesis pages", "Ch1 Ch2 Ch3 Ch4", (22, 61, 70, 33), "Which chapter is the longest?", "Ch3"),
    ("Ice thickness", "A B C D", (120, 214, 180, 95), "At which drill site is the ice thickest?", "B"),
    ("Plot rent", "2022 2023 2024", (40, 40, 48), "What did an allotment cost in 2024?", "48"),
    ("Potato harvest", "Greta Samuel Varga", (34, 21, 40), "Whose potato harvest was the heaviest?", "Varga"),
    ("Sleep hours", "Tue Wed Thu Fri", (6, 7, 5, 8), "After which day was the rest shortest?", "Thu"),
    ("Bike rides", "Spring Summer Autumn", (310, 520, 280), "In which season are most bicycles hired?", "Summer"),
    ("Kettle noise", "K1 K2 K3", (71, 62, 66), "Which kettle is the quietest?", "K2"),
    ("Shore power", "2021 2022 2023", (18, 29, 37), "How many percent of ships used shore power in 2023?", "37"),
    ("Choir voices", "Alto Bass Tenor", (14, 9, 6), "Of which voice does the choir have too few?", "Tenor"),
    ("Bus costs", "Fuel Staff Repair", (60, 210, 40), "What is the largest cost of the night bus?", "Staff"),
    ("Honey jars", "Hive1 Hive2 Hive3", (12, 31, 18), "Which hive filled most jars?", "Hive2"),
    ("Library loans", "Novel Travel Cook", (900, 310, 420), "Which books are lent least?", "Travel"),
    ("Rain days", "North South East", (160, 120, 101), "Where does it rain least often?", "East"),
    ("Clock weights", "Tower Mantel Watch", (640, 9, 1), "How heavy is the tower clock?", "640"),
)  # fmt: skip
# Answered only by two pictures together.
_TWO_PICTURES = ("What did the ferry carry, and how many ships took power from the shore?", "p01 p18", "210 and 37")
_SIZE = (240, 160)


def files() -> dict[str, bytes]:
    """The three tables."""
    ids = [f"deck_p{number:02d}.png" for number in range(1, len(_CHARTS) + 1)]
    pictures = [
        _chart(title, labels.split(), values, colour) for colour, (title, labels, values, *_) in enumerate(_CHARTS)
    ]
    queries = [(f"q{number:02d}", question, [answer]) for number, (*_, question, answer) in enumerate(_CHARTS, 1)]
    qrels = [(query_id, corpus_id, 1) for (query_id, *_), corpus_id in zip(queries, ids, strict=True)]
    question, both, answer = _TWO_PICTURES
    queries.append(("q50", question, [answer]))
    qrels += [("q50", f"deck_{page}.png", 1) for page in both.split()]
    queries += [
        ("q90", "Who drew the charts?", ["nobody"]),
        ("q91", "How many trams run at night?", ["two"]),
        ("q92", "How deep is the harbour?", ["11"]),
    ]
    qrels += [("q91", "deck_p77.png", 1), ("q92", "deck_p01.png", 0), ("q93", "deck_p02.png", 1)]
    return _tables([*ids, "deck_p25.png"], [*pictures, pictures[0]], queries, qrels)


def _tables(
    ids: list[str], pictures: list[bytes], queries: list[tuple[str, str, list[str]]], qrels: list[tuple[str, str, int]]
) -> dict[str, bytes]:
    import pyarrow

    images: list[dict[str, Any]] = [{"bytes": data, "path": name} for name, data in zip(ids, pictures, strict=True)]
    image = pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])
    query_ids, texts, answers = zip(*queries, strict=True)
    judged, seen, scores = zip(*qrels, strict=True)
    return {
        f"{name}/train-00000-of-00001.parquet": parquet_bytes(columns)
        for name, columns in {
            "corpus": {"corpus-id": ids, "image": pyarrow.array(images, image)},
            "queries": {"query-id": query_ids, "query": texts, "answer": answers},
            "qrels": {"query-id": judged, "corpus-id": seen, "score": pyarrow.array(scores, pyarrow.int32())},
        }.items()
    }


def _chart(title: str, names: list[str], values: tuple[int, ...], colour: int) -> bytes:
    width, height = _SIZE
    step = (width - 30) // len(values)
    boxes: list[tuple[Box, str]] = [((15, height - 24, width - 15, height - 23), "black")]
    labels = [(15, 6, title)]
    for position, (name, value) in enumerate(zip(names, values, strict=True)):
        x, top = 20 + step * position, height - 25 - 95 * value // max(values)
        boxes.append(((x, top, x + step - 14, height - 25), _COLOURS[colour % len(_COLOURS)]))
        labels += [(x, height - 20, name), (x, top - 13, str(value))]
    return png_bytes(_SIZE, boxes, labels)
