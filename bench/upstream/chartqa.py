"""ChartQA-Split (RobustCQA/ChartQA-Split): ChartQA's test questions, split by how complex chart and question are.

source      a chart at hand, `<dataset>/<folder>/<imgname>`; folders are `simple` and `complex` charts and share none.
            Extent from the PNG's header. Upstream gives a chart no text: no units
gold        the chart that the question was written on, `{}`
query       a row of a human file, asked of all charts of its holder. The eight files do not overlap: a row stands in
            one of them, by the complexity of its chart (folder) and of the question (file)
scenario    <chart>_chart_<question>_question
holder, observed_at, as_of  assigned: upstream states none
unanswerable  none

Kept out: the augmented files, whose questions a T5 wrote (`model_made`); rows without a question (`no_question`) or
answer (`no_answer`); rows whose chart is not at hand (`missing_document`). A PNG that is none is kept out as a document
(`unreadable_image`). Which of two charts of one holder a vague question means is not for this adapter to say.
"""

from collections.abc import Iterator
from typing import Any

from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows
from bench.upstream.images import image_size

_COMPLEXITIES = ("simple", "complex")
SCENARIOS = tuple(f"{chart}_chart_{question}_question" for chart in _COMPLEXITIES for question in _COMPLEXITIES)
ASSIGNED = ("holder", "observed_at", "as_of")


def read(raw: Raw) -> Iterator[Record]:
    """Every chart at hand, then every row of the eight files."""
    charts: set[str] = set()
    for folder in _COMPLEXITIES:
        paths = sorted((raw.directory / folder / "png").glob("*.png"))
        yield Rows("document", len(paths))
        for path in paths:
            size = image_size(path)
            if size is None:
                yield Excluded("document", f"{folder}/png/{path.name}", "unreadable_image")
                continue
            source_id = f"{raw.dataset}/{folder}/{path.name}"
            charts.add(source_id)
            yield Document(source_id, path.stem, {"width": size[0], "height": size[1]}, units=[])
    for folder in _COMPLEXITIES:
        for made_by in ("human", "augmented"):
            for complexity in _COMPLEXITIES:
                file = f"{folder}/test_{made_by}_{complexity}.json"
                rows: list[dict[str, Any]] = raw.json(file)
                yield Rows("question", len(rows))
                for number, row in enumerate(rows):
                    item = f"{file}[{number}]"
                    if made_by == "augmented":
                        yield Excluded("question", item, "model_made")
                    else:
                        scenario = f"{folder}_chart_{complexity}_question"
                        yield _question(item, row, f"{raw.dataset}/{folder}/{row['imgname']}", charts, scenario)


def _question(item: str, row: dict[str, Any], source_id: str, charts: set[str], scenario: str) -> Record:
    if not row["query"].strip():
        return Excluded("question", item, "no_question", row["imgname"])
    if not row["label"].strip():
        return Excluded("question", item, "no_answer", row["imgname"])
    if source_id not in charts:
        return Excluded("question", item, "missing_document", row["imgname"])
    return Question(
        item=item,
        about=row["imgname"],
        question=row["query"],
        answer=row["label"],
        answer_format="str",
        gold=[Gold(source_id, {})],
        scenario=scenario,
    )
