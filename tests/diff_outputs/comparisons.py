"""Comparisons made by hand: one of six modalities and three systems, a large one, and one whose texts are hostile."""

from typing import Any

from bench.diff.model import Comparison, Flip, Flips, Gate, Interval, LabelChange, Part, Row, Split
from bench.records import MODALITIES

SYSTEMS = ("bm25", "bm25_unscoped", "random")
MEASURES = ("recall@1", "recall@10", "nDCG@10", "MRR", "false_recall", "holder_correctness_twins")
CAUSES = ("system", "labels", "interaction", "queries removed", "queries added", "corpus removed", "corpus added")
HOSTILE = (
    "<script>document.title='owned'</script> a|b `c` **d** [e](https://evil.example/) ![f](https://evil.example/g.png) "
    "@someone #12 GH-7 www.evil.example \\| </code></details></table>\n\n# heading\n```\n--> \u202e &amp; $x$"
)


def record(value: float, denominator: int, n: int | None = None) -> dict[str, Any]:
    """A record as scores.json has it."""
    numerator = round(value * denominator, 9)
    n = denominator if n is None else n
    return {
        "value": value,
        "numerator": numerator,
        "denominator": denominator,
        "n": n,
        "of": f"{numerator}/{denominator}, n={n}",
    }


def row(
    old: float | None, new: float | None, *, denominator: int = 200, flips: Flips | None = None, **fields: Any
) -> Row:
    """A row of two values; a side of None has no record."""
    measure = fields.get("measure", "recall@10")
    change = None if old is None or new is None else new - old
    status = "new" if old is None else "removed" if new is None else "same" if old == new else "changed"
    given = {
        "system": "bm25",
        "modality": "all",
        "split": "dev",
        "measure": measure,
        "status": status,
        "old": None if old is None else record(old, denominator),
        "new": None if new is None else record(new, denominator, denominator - 2),
        "change": change,
        "better": (change > 0) != measure.startswith("false_recall") if change else None,
        "interval": Interval(change - 0.012, change + 0.012, 0.0312) if change else None,
        "flips": flips or Flips(["a", "b", "c"], ["d"], denominator - 4) if change else None,
        "why": "",
    }
    return Row(**given | fields)


def split(change: float, **fields: Any) -> Split:
    """A change of a third by the system and the rest by labels, with a part that goes the other way."""
    shares = (change / 2, change, -change / 2)
    parts = [
        Part(cause, value, 12 * bool(value), f"{cause} changed")
        for cause, value in zip(CAUSES, (*shares, 0, 0, 0, 0), strict=True)
    ]
    given = {"system": "bm25", "modality": "all", "split": "dev", "measure": "recall@10", "shared": 190}
    sentence = f"recall@10 moved by {change * 100:.1f} points."
    return Split(**given | {"change": change, "parts": parts, "sentence": sentence} | fields)


def flip(number: int, **fields: Any) -> Flip:
    """A query that changed."""
    given = {
        "system": "bm25",
        "query_id": f"locomo:conv-26:{number:08x}",
        "modality": "conversation",
        "measure": "recall@10",
        "old": 0.0,
        "new": 1.0,
        "question": f"When did the ferry of line {number} leave the harbour?",
        "gold": [f'locomo/conv-26/session_{number}#{{"turn":7}}'],
        "old_hits": [f'locomo/conv-26/session_{number + rank}#{{"turn":1}}' for rank in range(1, 6)],
        "new_hits": [f'locomo/conv-26/session_{number}#{{"turn":7}}'],
    }
    return Flip(**given | fields)


def comparison(**fields: Any) -> Comparison:
    """A comparison in which nothing changed, but for what `fields` say."""
    given = {
        "suite": "suites/third-party",
        "old": "0123456789abcdef0123456789abcdef01234567",
        "new": "workspace",
        "old_name": "origin/main (0123456)",
        "new_name": "workspace",
        "headline": "Nothing changed.",
        "rows": [],
        "splits": [],
        "labels": [],
        "corpus": {},
        "flips": [],
        "gates": [],
        "latency": {},
        "notes": [],
    }
    return Comparison(**given | fields)


def realistic() -> Comparison:
    """Six modalities, three systems, six measures; labels, corpus, flips, gates and notes."""
    rows, splits, flips = [], [], []
    for index, system in enumerate(SYSTEMS):
        for place, modality in enumerate(("all", *MODALITIES)):
            for number, measure in enumerate(MEASURES):
                old = 0.4 + 0.03 * place + 0.01 * number
                step = 0 if system == "random" or number == 5 else (place - 2) * 0.006 + 0.000004 * (index + 1)
                where = {"system": system, "modality": modality, "measure": measure}
                rows.append(row(old, old + step, denominator=100 * (place + 1), **where))
                if step and measure in ("recall@10", "nDCG@10"):
                    splits.append(split(step, **where))
            if system != "random":
                flips += [
                    flip(
                        place * 10 + number,
                        system=system,
                        modality=modality,
                        old=number % 2,
                        new=(number % 2 + 1) % 2 / (1 + number % 3),
                    )
                    for number in range(8)
                    if modality != "all"
                ]
    rows += [
        row(None, 0.25, measure="MRR", modality="image", system="dense"),
        row(0.5, None, measure="false_recall", modality="video", system="retired"),
        row(0.5, 0.6, status="not_comparable", why="the measure is over other queries", change=None, better=None,
            interval=None, flips=None, modality="pdf", system="dense"),
    ]  # fmt: skip
    return comparison(
        headline="recall@10 of bm25 rose by 1.8 points: 0.6 from the system, 1.2 from 230 changed labels.",
        rows=rows,
        splits=splits,
        flips=flips,
        labels=[
            *(LabelChange("relabelled", f"locomo:conv-26:{n:08x}", f"locomo:conv-26:{n:08x}", "conversation",
                          {"gold": [[{"turn": 1}], [{"turn": 2}]]}, "") for n in range(40)),
            LabelChange("reworded", "mm:a:0002", "mm:a:0001", "pdf", {"question": ["When?", "Which year?"]}, ""),
            LabelChange("added", "mm:b:00000003", "mm:b:00000003", "pdf", {}, "before excluded: page_zero"),
        ],
        corpus={"old": 1000, "new": 1012, "added": 12, "removed": 0, "changed": 0},
        gates=[
            Gate("recall@10:-0.02", "pass", "bm25, all: 0.400 to 0.388"),
            Gate("false_recall <= 0.1", "fail", "bm25, all: 0.4400 (44/100, n=100)"),
        ],
        notes=["The per-query scores of random are not at hand on the old side: causes are left out."],
    )  # fmt: skip


def large(number: int = 2_000) -> Comparison:
    """A comparison of `number` changed rows and as many flips."""
    rows = [row(0.5, 0.5 + (index % 7 + 1) / 100, modality=f"source-{index}") for index in range(number)]
    return comparison(headline="Much changed.", rows=rows, flips=[flip(index) for index in range(number)])


def hostile() -> Comparison:
    """Every text that a question, an id, a name or a note could bring in."""
    text = HOSTILE
    return comparison(
        suite=text, old_name=text, new_name=text, headline=text, notes=[text], corpus={text: 3},
        rows=[row(0.1, 0.2, system=text, modality=text, split=text), row(0.1, 0.2, why=text, status="not_comparable")],
        splits=[split(0.1, system=text, modality=text, sentence=text, parts=[Part(text, 0.1, 3, text)])],
        labels=[LabelChange(text, text, text + "2", text, {text: [text, [text]]}, text)],
        flips=[flip(1, system=text, query_id=text, modality=text, question=text, gold=[text], old_hits=[text],
                    new_hits=[text], measure=text)],
        gates=[Gate(text, "fail", text)],
    )  # fmt: skip
