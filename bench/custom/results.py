"""Results on disk: `outputs/<set>/<system>/`, kept under a key of data, settings and code.

result.json        the key, counts, and the measures by split; written last, so that it is there only with the others
per_query.jsonl    a row a split and query
run.trec, qrels.<split>.trec
                   the run and the judgements for trec_eval and pytrec_eval; left out, with the reason in result.json,
                   where TREC text cannot hold the data
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench.custom.advice import has_whitespace
from bench.custom.bm25 import Hits
from bench.custom.layout import Layout
from bench.custom.scoring import Judged
from bench.hashing import code_digest, hash_file
from bench.jsonl import read_document, replacing

RESULT = "result.json"
_CODE = ("bench/custom", "bench/rankings", "bench/measures", "bench/systems/bm25.py", "bench/ids.py", "bench/jsonl.py")
_LIBRARIES = ("bm25s", "numpy", "scipy")


def key(layout: Layout, splits: Mapping[str, Path], settings: dict[str, Any]) -> dict[str, Any]:
    """All that a result depends on. The files are there."""
    files = (layout.corpus, layout.queries, *splits.values())
    return {
        "data": {layout.name(path): hash_file(path).sha256 for path in files},
        "settings": settings,
        "code": code_digest(_CODE),
        "libraries": {name: version(name) for name in _LIBRARIES},
    }


def kept(folder: Path, wanted: dict[str, Any]) -> tuple[dict[str, Any] | None, list[str]]:
    """(the result in `folder` if it has this key, else None; which parts of its key differ)."""
    path = folder / RESULT
    if not path.is_file():
        return None, []
    result = read_document(path)
    written = result.get("key", {}) if isinstance(result, dict) else {}
    if written == wanted:
        return result, []
    return None, [name for name in wanted if written.get(name) != wanted[name]]


def clear(folder: Path) -> None:
    """Take old results away before new ones are written, so that never parts of two lie together."""
    for path in (folder / RESULT, folder / "per_query.jsonl", *folder.glob("*.trec")):
        path.unlink(missing_ok=True)


def untrec(run: Mapping[str, Hits], splits: Mapping[str, Judged]) -> str:
    """Why TREC text cannot hold the run and the judgements; empty where it can."""
    names = {*run, *(doc_id for hits in run.values() for doc_id, _ in hits)}
    grades: list[float] = []
    for judged in splits.values():
        for of_query in judged.values():
            names.update(of_query)
            grades += of_query.values()
    if any(map(has_whitespace, names)):
        return "an id has blanks within"
    if not all(float(grade).is_integer() for grade in grades):
        return "a score is a fraction, which trec_eval would cut off"
    return ""


def write_trec(folder: Path, system: str, run: Mapping[str, Hits], splits: Mapping[str, Judged]) -> None:
    """run.trec, and qrels.<split>.trec of each split."""
    _write(folder / "run.trec", _run_lines(system, run))
    for name, judged in splits.items():
        lines = (
            f"{query} 0 {doc} {int(grade)}" for query in sorted(judged) for doc, grade in sorted(judged[query].items())
        )
        _write(folder / f"qrels.{name}.trec", lines)


def _run_lines(system: str, run: Mapping[str, Hits]) -> Iterator[str]:
    for query_id in sorted(run):
        for rank, (doc_id, score) in enumerate(run[query_id], 1):
            yield f"{query_id} Q0 {doc_id} {rank} {score!r} {system}"


def _write(path: Path, lines: Iterable[str]) -> None:
    with replacing(path) as file:
        for line in lines:
            file.write(f"{line}\n".encode())
