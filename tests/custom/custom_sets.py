"""A small data set without a fault, and how tests write one with."""

import json
from pathlib import Path

DOCUMENTS = [
    {"_id": f"d{number}", "title": f"Part {number}", "text": f"valve number {number}"} for number in range(100)
]
QUERIES = [{"_id": f"q{number}", "text": f"which valve is number {number}"} for number in range(50)]
HEADER = "query-id\tcorpus-id\tscore\n"
QRELS = HEADER + "".join(f"q{number}\td{number}\t1\nq{number}\td{number + 50}\t0\n" for number in range(50))


def jsonl(rows: list[dict]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


SOUND = {"corpus.jsonl": jsonl(DOCUMENTS), "queries.jsonl": jsonl(QUERIES), "qrels/test.tsv": QRELS}


def write(folder: Path, files: dict[str, str | bytes | None] | None = None) -> Path:
    """The sound data set with some files replaced; None leaves one out."""
    for name, content in (SOUND | (files or {})).items():
        if content is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def with_line(name: str, number: int, line: str | bytes) -> dict[str, bytes]:
    """A file of the sound data set with one line replaced; the line's end is part of it."""
    lines = SOUND[name].encode().splitlines(keepends=True)
    lines[number - 1] = line if isinstance(line, bytes) else line.encode()
    return {name: b"".join(lines)}
