"""What the documents say is what the files hold."""

import json
import re
from pathlib import Path

from bench.overview import overview
from bench.records import MODALITIES
from bench.root import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
METRICS = ROOT / "suites" / "third-party" / "metrics"


def test_the_table_of_sources_is_current() -> None:
    written = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    assert written == "\n".join(overview()) + "\n", "run `python -m bench.overview > docs/sources.md`"


def test_the_readme_states_the_size_of_the_suite() -> None:
    counts = json.loads((METRICS / "dataset.json").read_text(encoding="utf-8"))["all"]
    said = re.search(
        r"([\d,]+) sources, ([\d,]+) queries \(([\d,]+) answerable, ([\d,]+) unanswerable\), ([\d,]+) holders",
        README.replace("\n", " "),
    )
    assert said
    names = ("sources", "queries", "answerable", "unanswerable", "holders")
    assert [int(number.replace(",", "")) for number in said.groups()] == [counts[name] for name in names]


def test_the_readme_states_the_scores_of_the_suite() -> None:
    scores = json.loads((METRICS / "bm25" / "scores.json").read_text(encoding="utf-8"))
    for name in ("all", *MODALITIES):
        records = scores[name]["dev"]
        cells = [name, f"{records['recall@10']['denominator']:,}"]
        cells += [f"{records[key]['value']:.3f}" for key in ("recall@10", "nDCG@10", "MRR")]
        false = records["false_recall"]
        cells += [f"{false['denominator']:,}", f"{false['value']:.3f}"]
        assert f"| {' | '.join(cells)} |" in README


def test_links_between_documents_lead_somewhere() -> None:
    checked = 0
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
            assert (document.parent / Path(target)).exists(), f"{document.name} links to {target}"
            checked += 1
    assert checked > 10


def test_the_tree_in_the_readme_is_there() -> None:
    tree = README.split("## Project tree")[1].split("```")[1]
    for line in tree.strip().splitlines():
        names = re.match(r"(\s*)((?:[\w./-]+ )*[\w./-]+)", line)
        assert names
        parent = ROOT / "bench" if names[1] else ROOT
        for name in names[2].split(" "):
            if "/" in name or "." in name:
                assert (parent / name).exists(), name
