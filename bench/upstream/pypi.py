"""A pure-Python wheel: the first sentence of a docstring asks for its function.

source, unit  a function or method, `<dataset>/<path>#<qualname>`; nested ones are `outer.inner`. Where a path defines
              a qualname more than once (property setters, overloads, conditional definitions), `@<line of def>` follows
              and the region is `{path, line}` instead of `{path, symbol}`. Its text is its source with decorators and
              indentation, without its docstring and without those of the functions and classes inside it
query, gold   the first sentence of its docstring, by the rules of `docstrings`; the function that it heads
holder        the package, `pypi:<name>`
observed_at, as_of  assigned: a wheel states none for its functions
scenario      docstring
unanswerable  none

Every .py member counts, the package's own tests too: they are functions of the package that a reader may look for.
Files are parsed, never imported or run. Docstrings of modules and classes do not ask: their unit would be no function.

Kept out: files that do not parse, or only with more depth or memory than Python allows itself (`unparsable_file`, one
row of documents: their functions cannot be counted); the questions for which `docstrings` gives a reason.
"""

import ast
import io
import re
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from bench.errors import BenchError
from bench.records import Gold, Region
from bench.upstream.base import Document, Excluded, Question, Raw, Record, Rows
from bench.upstream.docstrings import questions

SCENARIOS = ("docstring",)
ASSIGNED = ("observed_at", "as_of")
_Definition = ast.FunctionDef | ast.AsyncFunctionDef
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")


class Function(NamedTuple):
    """A function of a file: `line` is that of its def, `start` that of its first decorator, `end` its last, 1-based."""

    path: str
    qualname: str
    line: int
    start: int
    end: int
    docstring: str | None
    text: str


def read(raw: Raw) -> Iterator[Record]:
    """Every function of the wheel, then the question that its docstring asks."""
    wheel = _wheel(raw)
    holder = "pypi:" + re.sub(r"[-_.]+", "-", wheel.name.partition("-")[0]).lower()
    functions: list[Function] = []
    unparsable: list[Excluded] = []
    for path, source in _members(raw, wheel):
        try:
            functions += read_functions(path, source)
        except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError) as error:
            unparsable.append(Excluded("document", path, "unparsable_file", str(error)))
    yield Rows("document", len(functions) + len(unparsable))
    yield from unparsable
    named = _by_id(raw.dataset, functions)
    for source_id, (function, region) in named.items():
        yield Document(
            source_id=source_id,
            title=f"{function.qualname} ({function.path})",
            extent={
                "symbols": [
                    {
                        "path": function.path,
                        "symbol": function.qualname,
                        "line_start": function.start,
                        "line_end": function.end,
                    }
                ]
            },
            units=[(region, function.text)],
            holder=holder,
        )
    yield Rows("question", len(named))
    asked = questions({source_id: function.docstring for source_id, (function, _) in named.items()})
    for source_id, (sentence, reason) in asked.items():
        item = source_id.removeprefix(f"{raw.dataset}/")
        if reason:
            yield Excluded("question", item, reason, sentence)
            continue
        yield Question(
            item=item,
            about=item,
            question=sentence,
            answer=None,
            answer_format="none",
            gold=[Gold(source_id, named[source_id][1])],
            scenario="docstring",
            holder=holder,
        )


def _wheel(raw: Raw) -> Path:
    wheels = sorted(raw.directory.glob("*.whl"))
    if len(wheels) != 1:
        found = ", ".join(wheel.name for wheel in wheels) or "none"
        raise BenchError(f"{raw.dataset}: a pypi source is one wheel, found {found}; its registry entry must list one")
    return wheels[0]


def _members(raw: Raw, wheel: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with ZipFile(wheel) as archive:
            for name in sorted(name for name in archive.namelist() if name.endswith(".py")):
                yield name, archive.read(name)
    except BadZipFile as error:
        raise BenchError(f"{raw.dataset}: {wheel.name} is no zip archive: {error}; fetch it again") from None


def _by_id(dataset: str, functions: list[Function]) -> dict[str, tuple[Function, Region]]:
    definitions = Counter((function.path, function.qualname) for function in functions)
    named: dict[str, tuple[Function, Region]] = {}
    for function in functions:
        path, qualname, line = function.path, function.qualname, function.line
        if definitions[path, qualname] == 1:
            named[f"{dataset}/{path}#{qualname}"] = function, {"path": path, "symbol": qualname}
        else:
            named[f"{dataset}/{path}#{qualname}@{line}"] = function, {"path": path, "line": line}
    return named


def read_functions(path: str, source: bytes) -> list[Function]:
    """The functions of a file, in its order.

    Raises SyntaxError, ValueError, LookupError, RecursionError or MemoryError where Python cannot decode or parse it.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    code = source.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an invalid escape in somebody's file is not ours to report
        tree = ast.parse(code, path)
    definitions = list(_definitions(tree))
    lines = _without_docstrings(code, (node for _, node in definitions))
    found = []
    for qualname, node in definitions:
        if isinstance(node, _Definition):
            start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            end = node.end_lineno or node.lineno
            text = "\n".join(line for line in lines[start - 1 : end] if line is not None)
            found.append(Function(path, qualname, node.lineno, start, end, ast.get_docstring(node, clean=True), text))
    return found


def _definitions(tree: ast.Module) -> Iterator[tuple[str, _Definition | ast.ClassDef]]:
    """Functions and classes with their qualnames, in the order of the file; by a stack, as chains of elif nest deep."""
    stack: list[tuple[str, ast.AST]] = [("", tree)]
    while stack:
        prefix, node = stack.pop()
        if isinstance(node, _Definition | ast.ClassDef):
            yield prefix + node.name, node
            prefix = f"{prefix}{node.name}."
        blocks = [child for block in _BLOCKS for child in getattr(node, block, ())]
        stack += [(prefix, child) for child in reversed(blocks)]


def _without_docstrings(code: str, definitions: Iterable[_Definition | ast.ClassDef]) -> list[str | None]:
    """The lines of a file, None where a docstring stood alone; what shares its line with code is cut out of it."""
    lines: list[str | None] = list(code.split("\n"))
    for node in definitions:
        if ast.get_docstring(node, clean=False) is None:
            continue
        docstring = node.body[0]
        first, last = docstring.lineno - 1, (docstring.end_lineno or docstring.lineno) - 1
        # Columns count bytes of UTF-8.
        before = (lines[first] or "").encode()[: docstring.col_offset].decode()
        after = (lines[last] or "").encode()[docstring.end_col_offset :].decode().lstrip(" \t;")
        lines[first : last + 1] = [None] * (last + 1 - first)
        if (before + after).strip():
            lines[first] = before + after
    return lines
