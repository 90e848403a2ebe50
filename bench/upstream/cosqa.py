"""CoSQA (Jun-jie-Huang/CoCLR, microsoft/CodeXGLUE): web queries and the Python functions that answer them.

source, unit  a function of code_idx_map.txt (a JSON object, code -> idx): `<dataset>/<idx>`, its whole code one unit,
              addressed as path `cosqa/<idx>.py` and the name after `def`
query         a row of the two retrieval files (gold: its retrieval_idx), or of cosqa-dev.json with label 1 (its code)
holder, observed_at, as_of  assigned: upstream states none
scenario      web_query
unanswerable  none: label 0 says that one function does not answer, not that none does (`pair_judged_no_answer`)

Kept out: rows whose labels are withheld (`gold_withheld`, test_webquery.json), rows whose code is not in the map
(`missing_document`), a retrieval_idx that the map gives to other code (`index_contradicts_code`).
"""

import re
from collections.abc import Iterator
from typing import Any

from bench.records import Gold
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows

SCENARIOS = ("web_query",)
ASSIGNED = ("holder", "observed_at", "as_of")
_QUESTIONS = ("cosqa-retrieval-dev-500.json", "cosqa-retrieval-test-500.json", "cosqa-dev.json", "test_webquery.json")
_DEFINITION = re.compile(r"^\s*(?:async\s+)?def\s+(\w+)", re.MULTILINE)


def read(raw: Raw) -> Iterator[Record]:
    """Every function, then every row of the four question files."""
    functions: dict[str, int] = raw.json("code_idx_map.txt")
    yield Rows("document", len(functions))
    symbols: dict[int, str] = {}
    for code, index in functions.items():
        name = _DEFINITION.search(code)
        if not name:
            yield Excluded("document", f"code_idx_map.txt[{index}]", "no_definition", code[:80])
            continue
        symbols[index] = name[1]
        region = {"path": f"cosqa/{index}.py", "symbol": name[1]}
        yield Document(
            source_id=f"{raw.dataset}/{index}",
            title=name[1],
            extent={"symbols": [{**region, "line_start": 1, "line_end": code.count("\n") + 1}]},
            units=[(region, code)],
        )
    for file in _QUESTIONS:
        rows: list[dict[str, Any]] = raw.json(file)
        yield Rows("question", len(rows))
        for row in rows:
            yield _question(raw.dataset, f"{file}/{row['idx']}", row, functions, symbols)


def _question(
    dataset: str, item: str, row: dict[str, Any], functions: dict[str, int], symbols: dict[int, str]
) -> Record:
    if "label" not in row:
        return Excluded("question", item, "gold_withheld")
    if row["label"] == 0:
        return Excluded("question", item, "pair_judged_no_answer")
    index = functions.get(row["code"])
    if "retrieval_idx" in row and index is not None and row["retrieval_idx"] != index:
        return Excluded("question", item, "index_contradicts_code", f"{row['retrieval_idx']}, not {index}")
    if index is None or index not in symbols:
        return Excluded("question", item, "missing_document", row["code"][:80])
    return Question(
        item=item,
        about=str(index),
        question=row["doc"],
        answer=None,
        answer_format="none",
        gold=[Gold(f"{dataset}/{index}", {"path": f"cosqa/{index}.py", "symbol": symbols[index]})],
        scenario="web_query",
    )
