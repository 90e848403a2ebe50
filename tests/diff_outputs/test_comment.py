"""What posts the comment: which one it updates, and what it refuses. `gh` is a stand-in that keeps a JSON file."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from comparisons import hostile, realistic

from bench.diff.markdown import LIMIT, MARKER, render
from bench.root import ROOT

SCRIPT = ROOT / ".github" / "scripts" / "comment.py"
_spec = importlib.util.spec_from_file_location("comment", SCRIPT)
comment = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(comment)

BOT = {"login": "github-actions[bot]"}
RUN = "https://github.example/run/1"
GH = """\
import json, os, sys
from pathlib import Path
store = Path(os.environ["STORE"])
state = json.loads(store.read_text())
arguments = sys.argv[1:]
path = next(a for a in arguments if a.startswith("repos/"))
method = arguments[arguments.index("--method") + 1] if "--method" in arguments else "GET"
state["calls"].append(f"{method} {path}")
assert arguments[0] == "api"
if method == "GET" and "/pulls/" in path:
    answer = state["pull"]
elif method == "GET":
    answer = [state["comments"][:2], state["comments"][2:]]
else:
    body = json.load(sys.stdin)["body"]
    if method == "POST":
        kept = {"id": 99, "user": {"login": "github-actions[bot]"}}
        state["comments"].append(kept)
    else:
        kept = next(c for c in state["comments"] if str(c["id"]) == path.rpartition("/")[2])
    kept["body"] = body
    answer = {"html_url": f"https://github.example/comment/{kept['id']}"}
store.write_text(json.dumps(state))
print(json.dumps(answer))
"""


def other(number: int, body: str, login: str = "somebody") -> dict[str, Any]:
    return {"id": number, "user": {"login": login}, "body": body}


class GitHub:
    """A pull request with comments, behind a `gh` of our own."""

    def __init__(self, folder: Path, comments: list[dict[str, Any]], sha: str = "abc", state: str = "open") -> None:
        self.folder = folder
        self.store = folder / "store.json"
        pull = {"number": 12, "state": state, "head": {"sha": sha}}
        self.store.write_text(json.dumps({"pull": pull, "comments": comments, "calls": []}))
        program = folder / "bin" / "gh"
        program.parent.mkdir()
        program.write_text(f"#!{sys.executable}\n{GH}")
        program.chmod(0o755)

    def post(self, body: str, number: str = "12\n") -> subprocess.CompletedProcess[str]:
        report = self.folder / "report"
        report.mkdir(exist_ok=True)
        (report / "number").write_text(number)
        (report / "comment.md").write_text(body, encoding="utf-8")
        environment = {
            "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "STORE": str(self.store),
            "GITHUB_REPOSITORY": "org/bench",
            "HEAD_SHA": "abc",
            "RUN_URL": RUN,
        }
        return subprocess.run(
            [sys.executable, SCRIPT, report], env=environment, capture_output=True, text=True, check=False
        )

    @property
    def kept(self) -> dict[str, Any]:
        return json.loads(self.store.read_text())


class TestPosting:
    def test_the_first_report_becomes_a_comment(self, tmp_path: Path) -> None:
        github = GitHub(tmp_path, [other(1, "nice")])
        done = github.post(render([realistic()]))
        assert done.stdout == "posted: https://github.example/comment/99\n", done.stderr
        assert github.kept["calls"][-1] == "POST repos/org/bench/issues/12/comments"
        body = github.kept["comments"][-1]["body"]
        assert body.startswith(MARKER)
        assert body.endswith(f"[The whole report of this run]({RUN}), as an artifact.\n")
        assert len(body) < 65_536

    def test_the_next_report_takes_its_place(self, tmp_path: Path) -> None:
        comments = [other(1, f"{MARKER} mine!"), other(2, "hm"), other(3, f"{MARKER}\nold", BOT["login"])]
        github = GitHub(tmp_path, comments)
        done = github.post(render([realistic()]))
        assert done.stdout == "updated: https://github.example/comment/3\n", done.stderr
        assert github.kept["calls"][-1] == "PATCH repos/org/bench/issues/comments/3"
        assert len(github.kept["comments"]) == 3
        assert github.kept["comments"][0]["body"] == f"{MARKER} mine!"

    def test_hostile_texts_pass_as_the_renderer_writes_them(self, tmp_path: Path) -> None:
        assert GitHub(tmp_path, []).post(render([hostile()])).returncode == 0

    @pytest.mark.parametrize(
        ("sha", "state", "said"),
        [
            ("def", "open", "the head of pull request 12 is def, not abc"),
            ("abc", "closed", "pull request 12 is closed"),
        ],
    )
    def test_a_report_of_another_commit_is_not_posted(self, tmp_path: Path, sha: str, state: str, said: str) -> None:
        github = GitHub(tmp_path, [], sha, state)
        done = github.post(render([realistic()]))
        assert (done.returncode, done.stdout) == (0, f"nothing posted: {said}\n")
        assert github.kept["calls"] == ["GET repos/org/bench/pulls/12"]

    @pytest.mark.parametrize("number", ["", "12; rm", "../1", "-1", "0", "1\n2", "99999999999"])
    def test_a_number_that_is_none_stops_before_anything_is_asked(self, tmp_path: Path, number: str) -> None:
        github = GitHub(tmp_path, [])
        done = github.post(render([realistic()]), number)
        assert done.returncode == 1
        assert "which is no number" in done.stderr
        assert github.kept["calls"] == []


class TestCheck:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("<img src=x>", "a tag"),
            ("<!-- hidden -->", "a tag"),
            ("<code onclick=x>", "a tag"),
            ("[x](y)", "a link"),
            ("![x][y]", "a link"),
            ("see https://evil.example", "a link"),
            ("see www.evil.example", "a link"),
            ("hello @someone", "a mention"),
            ("hello &#64;someone", "a mention"),
            ("hello &commat;someone", "a mention"),
            ("see #12", "a reference"),
            ("see &#35;12", "a reference"),
            ("see GH-12", "a reference"),
            ("bell \x07", "a control character"),
        ],
    )
    def test_what_no_report_holds_is_refused(self, text: str, said: str) -> None:
        with pytest.raises(comment.Refused, match=said):
            comment.check(f"{MARKER}\n{text}")

    def test_a_report_passes(self) -> None:
        comment.check(render([realistic(), hostile()]))

    @pytest.mark.parametrize("body", ["", "hello", f"hello {MARKER}", MARKER])
    def test_a_text_without_the_marker_on_its_first_line_is_refused(self, body: str) -> None:
        with pytest.raises(comment.Refused, match="marker"):
            comment.check(body)

    def test_a_longer_body_than_github_takes_is_refused(self, tmp_path: Path) -> None:
        done = GitHub(tmp_path, []).post(f"{MARKER}\n" + "x" * 65_536)
        assert done.returncode == 1
        assert "allowed: 65,536" in done.stderr

    def test_what_is_no_text_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "number").write_bytes(b"\xff")
        with pytest.raises(comment.Refused, match="number of the artifact cannot be read"):
            comment.main(tmp_path, {"GITHUB_REPOSITORY": "org/bench"})

    def test_the_marker_and_the_limit_are_those_of_the_renderer(self) -> None:
        assert comment.MARKER == MARKER
        assert comment.MOST_CHARACTERS - LIMIT > 500  # for the link to the whole


class TestChoose:
    @pytest.mark.parametrize(
        ("comments", "chosen"),
        [
            ([], None),
            ([other(1, MARKER)], None),
            ([other(1, f"quoting {MARKER}", BOT["login"])], None),
            ([other(1, "sibling", BOT["login"]), other(2, MARKER, BOT["login"]), other(3, MARKER, BOT["login"])], 2),
            ([{"id": 1, "user": None, "body": MARKER}, {"id": 2, "user": BOT, "body": None}], None),
        ],
        ids=["none", "another's", "a quote", "the first of two", "a ghost"],
    )
    def test_which_comment_is_updated(self, comments: list[dict[str, Any]], chosen: int | None) -> None:
        assert comment.choose(comments) == chosen
