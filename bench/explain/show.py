"""An explanation for people, or as JSON. Styled on a terminal; without a terminal the same lines are plain text."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET
from rich.console import Console
from rich.text import Text

from bench.explain.collect import Explained, GoldShown, HitShown, SystemShown
from bench.explain.reasons import Reason
from bench.jsonl import encode
from bench.records import Annotation, Region

LONGEST = 200
STYLES = {
    "finds": "green",
    "found_already": "dim",
    "overlaps": "yellow",
    "oversized": "yellow",
    "future": "bold red",
    "other_holder": "bold red",
    "original_evidence": "red",
}
STATES = {
    "no_line": "no line for this query in the run: the worst value of each measure",
    "not_measured": "not measured: the system reads text alone, and this source has none",
}
KINDS = {
    "answerable": "answerable",
    "native": "unanswerable, as upstream has it",
    "other_holder": "unanswerable: its original asked by another holder, whose sources hold no answer",
    "before_observation": "unanswerable: its original asked before any of its evidence was observed",
}


def show(explained: Explained, as_json: bool) -> None:
    """Print it to stdout."""
    if as_json:
        print(encode(explained).decode())
        return
    console = Console(soft_wrap=True, highlight=False)
    for line in [*_query(explained.query, explained.kind), *_all_gold(explained), *_systems(explained)]:
        console.print(line)


def _query(query: Annotation, kind: str) -> Iterator[Text]:
    session = "any source" if query.scope.session is None else query.scope.session
    twin = "" if query.twin_of is UNSET else f" (twin of {query.twin_of.query_id})"
    answer = "none" if query.answer is None else encode(query.answer).decode()
    yield _named("query", query.query_id, "bold")
    yield _named("question", query.question)
    yield _named("answer", answer)
    yield _named("scope", f"holder {query.scope.holder}; session {session}; scenario {query.scope.scenario}")
    yield _named("as of", query.as_of)
    yield _named("class", f"{KINDS[kind]}{twin}; {query.modality}, {query.split}")
    yield _named("origin", f"{query.origin.dataset} at {query.origin.revision}, {query.origin.item}")


def _all_gold(explained: Explained) -> Iterator[Text]:
    whose = "gold" if explained.kind == "answerable" else "must not come back"
    for number, gold in enumerate(explained.gold, 1):
        yield _named(f"{whose} {number}", f"{_place(gold.source_id, [gold.region])}  {_owner(gold)}", "green")
        yield _text(gold.text, "  ")


def _owner(gold: GoldShown) -> str:
    return f"{_clean(gold.title)}; holder {gold.holder}, observed {gold.observed_at}"


def _systems(explained: Explained) -> Iterator[Text]:
    for system in explained.systems:
        yield Text("")
        yield _named(system.system, _state(system, explained.query.split), "bold")
        for hit in system.hits:
            yield _hit(hit)
            yield _text(hit.text, " " * 6)
        if system.scores:
            yield Text("  " + "  ".join(f"{key} {value:.4g}" for key, value in system.scores.items()))


def _state(system: SystemShown, split: str) -> str:
    if system.state == "no_line" and split == "test":
        return f"{STATES['no_line']} (the suite's own systems answer test only where score.acceptance is on)"
    first = f", first {len(system.hits)}" if len(system.hits) < system.returned else ""
    return STATES.get(system.state, f"{system.returned} hits{first}")


def _hit(hit: HitShown) -> Text:
    line = Text(f"{hit.rank:4}  {hit.score:<10.6g} {'strong' if hit.strong else '      '}  ")
    line.append(_place(hit.source_id, hit.regions))
    for number, reason in enumerate(hit.reasons):
        line.append("  - " if number == 0 else "; ")
        line.append(*_styled(reason))
    return line


def _styled(reason: Reason) -> tuple[str, str]:
    return _clean(reason.says), STYLES.get(reason.kind, "")


def _place(source_id: str, regions: Sequence[Region]) -> str:
    return _clean(f"{source_id} {' '.join(encode(region).decode() for region in regions)}")


def _text(text: str | None, indent: str) -> Text:
    words = "(no text there)" if text is None else _clean(" ".join(text.split()))
    return Text(indent + (words if len(words) <= LONGEST else words[: LONGEST - 3] + "..."), "dim")


def _named(name: str, value: str, style: str = "") -> Text:
    return Text.assemble((f"{name:<9} ", "bold"), (_clean(value), style))


def _clean(text: str) -> str:
    """Without what could move a terminal's cursor."""
    return "".join(char if char.isprintable() else " " for char in text)
