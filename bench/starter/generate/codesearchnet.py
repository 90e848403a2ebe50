"""CodeSearchNet: a shard of functions a language, and annotationStore.csv with people's judgements of them.

Faults on purpose: judgements of functions that the shards lack, a query that nobody judged positive, a url that
repeats, a row of the older key set without a url, a docstring of one word. Notes may run over several lines, and raters
disagree.
"""

import ast
import hashlib
import re
from collections.abc import Iterator
from typing import Any

from bench.starter.generate.files import csv_bytes, gzip_bytes, jsonl_bytes, text_blocks

# query, then (function, the grades of its raters)
_JUDGED = (
    (
        "cheapest route in a weighted network",
        (("shortest_path", "33"), ("breadth_first", "10"), ("spanning_tree", "1")),
    ),
    ("detect circular dependencies", (("has_cycle", "32"), ("topological_order", "21"))),
    ("surface of a polygon", (("polygon_area", "3"), ("convex_hull", "0"), ("bounding_box", "1"))),
    ("kilometres between two coordinates", (("great_circle", "33"), ("distance", "11"))),
    ("smooth noisy measurements", (("moving_average", "3"), ("drop_outliers", "12"), ("calibrate", "0"))),
    ("interpolate missing values", (("fill_gaps", "3"), ("moving_average", "0"))),
    ("save file without corruption", (("write_atomically", "32"), ("backup", "1"))),
    ("csv import", (("read_statement", "2"), ("export_csv", "0"))),
    ("dump table to text", (("export_csv", "3"), ("read_statement", "0"))),
    ("divide costs among friends", (("split_evenly", "33"),)),
    ("find repeated transactions", (("find_duplicates", "3"), ("reconcile", "10"))),
    ("repeat operation after failure", (("retry", "3"),)),
    ("parse settings", (("load_config", "3"), ("parse_amount", "0"))),
    ("render chess board", (("rotate", "0"), ("bounding_box", "0"))),
)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_COLUMNS = ["Language", "Query", "GitHubUrl", "Relevance", "Notes"]
_NOT_AT_HAND = "https://github.com/elsewhere/gone/blob/" + "0" * 40 + "/gone/board.py#L1-L9"


def files() -> dict[str, bytes]:
    """The shards, the judgements, and the list of queries."""
    rows = [row for heading, body in text_blocks("repositories") for row in _python(heading, body)]
    scripts = [_javascript(heading, body) for heading, body in text_blocks("functions_js")]
    urls = {row["func_name"]: row["url"] for row in rows}
    judgements = [
        ["Python", query, urls[name], grade, ""]
        for query, judged in _JUDGED
        for name, grades in judged
        for grade in grades
    ]
    judgements[2][4] = "visits every node,\nbut does not weigh the edges"
    judgements += [
        ["Python", "render chess board", _NOT_AT_HAND, "0", ""],
        ["Python", "csv import", _NOT_AT_HAND, "1", "reads only the header"],
        ["JavaScript", "shuffle array", scripts[8]["url"], "3", ""],
        ["JavaScript", "deep copy object", scripts[7]["url"], "3", ""],
        ["JavaScript", "deep copy object", scripts[6]["url"], "0", ""],
        ["Go", "csv import", _NOT_AT_HAND.replace(".py", ".go"), "3", ""],
    ]
    older = {key: rows[0][key] for key in ("code", "docstring", "func_name", "language", "path", "repo")}
    return {
        "python/final/jsonl/test/python_test_0.jsonl.gz": gzip_bytes(jsonl_bytes([*rows, rows[1], older])),
        "javascript/final/jsonl/test/javascript_test_0.jsonl.gz": gzip_bytes(jsonl_bytes(scripts)),
        "annotationStore.csv": csv_bytes([_COLUMNS, *judgements], newline="\r\n"),
        "queries.csv": csv_bytes([["query"], *([query] for query in dict.fromkeys(row[1] for row in judgements))]),
    }


def _python(heading: str, source: str) -> Iterator[dict[str, Any]]:
    """A row for each function of a file, in its order; its code holds the docstring. Heading: repository and path."""
    repo, path = heading.split()
    for prefix, node in _definitions(ast.parse(source)):
        code = ast.get_source_segment(source, node) or ""
        docstring = ast.get_docstring(node, clean=False) or ""
        yield _row("python", repo, path, prefix + node.name, node.lineno, code, docstring)


def _javascript(heading: str, body: str) -> dict[str, Any]:
    """A function whose comment is the first line. Heading: repository, path, name, and the line where it begins."""
    repo, path, name, line = heading.split()
    docstring, code = body.rstrip("\n").split("\n", 1)
    return _row("javascript", repo, path, name, int(line), code, docstring)


def _row(language: str, repo: str, path: str, name: str, line: int, code: str, docstring: str) -> dict[str, Any]:
    commit = hashlib.sha1(repo.encode(), usedforsecurity=False).hexdigest()
    return {
        "repo": repo,
        "path": path,
        "func_name": name,
        "original_string": code,
        "language": language,
        "code": code,
        "code_tokens": _TOKEN.findall(code.replace(f'"""{docstring}"""', "")),
        "docstring": docstring,
        "docstring_tokens": docstring.split("\n\n")[0].split(),
        "sha": commit,
        "url": f"https://github.com/{repo}/blob/{commit}/{path}#L{line}-L{line + code.count(chr(10))}",
        "partition": "test",
    }


def _definitions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.", member) for member in node.body if isinstance(member, ast.FunctionDef))
