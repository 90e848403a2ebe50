"""The commands of docs/scoring-your-system.md run as they stand there, and print the lines that stand under them."""

import os
import re
import shlex
import subprocess
import sys

import pytest

from bench.jsonl import parse_strict, write_rows
from bench.root import ROOT
from bench.schema import problems
from suites import make_starter

DOCUMENT = (ROOT / "docs" / "scoring-your-system.md").read_text(encoding="utf-8")
PROGRAMS = {"bench": [sys.executable, "-c", "from bench.cli import app; app()"], "python": [sys.executable]}
QUERY = "starter-mmlongbench-doc:brevo_kettle_guide.pdf:6825bd2c"


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT, re.MULTILINE | re.DOTALL)


def commands():
    """(command, expected exit code, expected lines) in the order of the document."""
    found = []
    for line in "".join(blocks("console")).splitlines():
        if line.startswith("$ "):
            command, _, code = line[2:].partition("  # exits ")
            found.append((command, int(code or 0), []))
        else:
            found[-1][2].append(line)
    return found


@pytest.fixture
def folder(tmp_path):
    """What a reader has: the starter suite, built, and the program of the document; and a run with two faults."""
    make_starter(tmp_path / "bench")
    (program,) = blocks("python")
    (tmp_path / "my_system.py").write_text(program, encoding="utf-8")
    weak = {"source_id": "starter-mmlongbench-doc/brevo_kettle_guide.pdf", "region": {"page": 1}, "score": 1.0}
    broken = [{"query_id": QUERY, "hits": [weak]}, {"query_id": "pdf-17", "hits": []}]
    write_rows(tmp_path / "broken-run" / "pdf.jsonl", broken)
    return tmp_path


def test_the_commands_print_what_the_document_says(folder):
    found = commands()
    assert len(found) == 8
    assert {command.split()[1] for command, _, _ in found[1:]} == {"score", "explain", "runs"}
    for command, code, lines in found:
        program, *arguments = shlex.split(command)
        done = subprocess.run(
            [*PROGRAMS[program], *arguments], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == code, f"{command}: {done.stdout}{done.stderr}"
        printed = [printed.rstrip() for printed in (done.stdout + done.stderr).splitlines()]
        for expected in lines:
            assert expected in printed, f"{command}: {expected!r} not in {printed}"
    assert {path.name for path in (folder / "results").iterdir()} == {
        "scores.json", "per_query.jsonl", "provenance.json",
    }  # fmt: skip


def test_the_examples_satisfy_their_schemas():
    run_line, atom = (parse_strict(block.encode()) for block in blocks("json"))
    assert problems("run", run_line) == []
    assert problems("atoms", atom) == []
