"""Compare a pull request with its base, and leave the report for the step summary, the artifact and the comment.

    python report.py BASE NUMBER FOLDER [OPTION OF bench diff...]

BASE is the branch that it is to be merged into, such as origin/main; compared is the workspace with where it left
BASE. FOLDER gets comment.md, report.html, report.json and `number`; the comment is appended to $GITHUB_STEP_SUMMARY.
The exit code is that of `bench diff`: 0 fine, 1 regressed, 2 cannot compare (the comment then says why).

What a machine of CI lacks of the base is rebuilt: the starter suite, by the base's own code, into the shared cache.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.diff.escape import plain
from bench.diff.markdown import MARKER

CANNOT_COMPARE = 2
MOST_CHARACTERS = 10_000


def main(base: str, number: int, folder: Path, options: Sequence[str]) -> int:
    """Write the report; the exit code of `bench diff`, and CANNOT_COMPARE where that left no comment."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "number").write_text(f"{number}\n", encoding="utf-8")
    comment = folder / "comment.md"
    comment.unlink(missing_ok=True)
    code, message = compare(base, folder, options)
    if not comment.exists():
        code = CANNOT_COMPARE
        comment.write_text(failure(message), encoding="utf-8")
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(comment.read_text(encoding="utf-8"))
    return code


def compare(base: str, folder: Path, options: Sequence[str]) -> tuple[int, str]:
    """(exit code, what went to stderr) of `bench diff`."""
    try:
        commit = git("merge-base", "HEAD", base)
    except subprocess.CalledProcessError as error:
        return (
            CANNOT_COMPARE,
            f"{error.stderr}HEAD and {base} have no common ancestor here: check out with fetch-depth: 0",
        )
    rebuild(commit)
    name = base if git("rev-parse", f"{base}^{{commit}}") == commit else commit
    files = ("--md", folder / "comment.md", "--html", folder / "report.html", "--json", folder / "report.json")
    done = subprocess.run(  # noqa: S603
        [Path(sys.executable).parent / "bench", "diff", name, *files, *options],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    print(done.stderr, end="", file=sys.stderr)
    return done.returncode, done.stderr


def rebuild(commit: str) -> None:
    """Fill the cache with what the starter suite's dvc.lock names at `commit`. A failure is told, and no more."""
    root = Path(git("rev-parse", "--show-toplevel"))
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "PYTHONPATH": folder,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        for command in (
            ("git", "clone", "--quiet", "--shared", "--no-checkout", str(root), folder),
            ("git", "checkout", "--quiet", "--detach", commit),
            ("dvc", "config", "--local", "cache.dir", str(root / ".dvc" / "cache")),
            ("dvc", "repro", "--quiet"),
        ):
            done = subprocess.run(command, cwd=folder, env=environment, check=False)  # noqa: S603
            if done.returncode != 0:
                print(f"the base cannot be rebuilt ({' '.join(command[:2])} failed): its metrics alone are compared")
                return


def failure(message: str) -> str:
    """The comment where nothing could be compared."""
    said = plain(message.strip().removeprefix("error: ")[:MOST_CHARACTERS]) or "`bench diff` ended without a message"
    return f"{MARKER}\n## evidence-bench: cannot compare\n\n{said}\n"


def git(*arguments: str) -> str:
    """What git prints. CalledProcessError where it refuses."""
    return subprocess.run(  # noqa: S603
        ["git", *arguments],  # noqa: S607
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:]))
