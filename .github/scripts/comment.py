"""Post the report of a pull request's run as its comment, or update the one that is there. Standard library and `gh`.

    python comment.py FOLDER

FOLDER is the artifact of that run: `number` and `comment.md`. It was made by code of the pull request, perhaps by a
stranger, so nothing in it is trusted: the number must be of an open pull request whose head is the commit that was run
(HEAD_SHA), and the text may hold no link, mention, image or tag but those that `bench diff --md` writes.
Read from the environment: GITHUB_REPOSITORY, HEAD_SHA, RUN_URL (where the whole report is), GH_TOKEN (for gh).
"""

import html
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

MARKER = "<!-- evidence-bench:diff -->"
BOT = "github-actions[bot]"
# What GitHub accepts.
MOST_CHARACTERS = 65_536
_TAGS = re.compile(r"</?(?:details|summary|br|sub|code)>")
_FORBIDDEN = {
    "a tag that no report has": re.compile("<"),
    "a link or an image": re.compile(r"[\[\]]|:/|\bwww\.", re.IGNORECASE),
    "a mention": re.compile(r"(?<!\w)@\w"),
    "a reference to an issue": re.compile(r"#\d|\bGH-\d", re.IGNORECASE),
    "a control character": re.compile(r"[\x00-\x09\x0b-\x1f\x7f]"),
}
# Only what GitHub finds in the finished text counts where an entity hides it.
_IN_FINISHED_TEXT = ("a mention", "a reference to an issue")


class Refused(Exception):
    """The artifact is not one that may be posted."""


class Outdated(Exception):
    """The pull request is closed, or has a newer commit, whose own run reports."""


def main(folder: Path, environment: Mapping[str, str]) -> None:
    """Check the artifact, then create or update the comment."""
    repository = environment["GITHUB_REPOSITORY"]
    number = pull_request_number(_read(folder / "number"))
    body = _read(folder / "comment.md")
    check(body)
    body += f"\n[The whole report of this run]({environment['RUN_URL']}), as an artifact.\n"
    if len(body) > MOST_CHARACTERS:
        raise Refused(f"the comment has {len(body):,} characters, allowed: {MOST_CHARACTERS:,}")
    check_head(gh(f"repos/{repository}/pulls/{number}"), environment["HEAD_SHA"])
    pages = gh("--paginate", "--slurp", f"repos/{repository}/issues/{number}/comments?per_page=100")
    own = choose(comment for page in pages for comment in page)
    if own is None:
        made = gh("--method", "POST", f"repos/{repository}/issues/{number}/comments", send={"body": body})
    else:
        made = gh("--method", "PATCH", f"repos/{repository}/issues/comments/{own}", send={"body": body})
    print(f"{'posted' if own is None else 'updated'}: {made['html_url']}")


def pull_request_number(text: str) -> int:
    """The number that the file holds. Refused where it is anything else."""
    if not re.fullmatch(r"[1-9][0-9]{0,9}\n?", text):
        raise Refused(f"the number of the pull request is {text[:40]!r}, which is no number")
    return int(text)


def check(body: str) -> None:
    """Refused where the text is no report: without its marker, or with what a report never holds."""
    if not body.startswith(f"{MARKER}\n"):
        raise Refused("the comment does not begin with its marker")
    text = _TAGS.sub("", body.removeprefix(MARKER))
    for what, pattern in _FORBIDDEN.items():
        seen = html.unescape(text) if what in _IN_FINISHED_TEXT else text
        if found := pattern.search(seen):
            raise Refused(f"the comment holds {what}: {seen[max(0, found.start() - 20) : found.end() + 20]!r}")


def check_head(pull: Mapping[str, Any], sha: str) -> None:
    """Outdated where the pull request is not open, or `sha` is not its head: what was run is not what it is now."""
    if pull["state"] != "open":
        raise Outdated(f"pull request {pull['number']} is {pull['state']}")
    if pull["head"]["sha"] != sha:
        raise Outdated(f"the head of pull request {pull['number']} is {pull['head']['sha']}, not {sha}")


def choose(comments: Iterable[Mapping[str, Any]]) -> int | None:
    """The id of the comment to update: the first by the bot that begins with the marker; None where there is none."""
    for comment in comments:
        if (comment.get("user") or {}).get("login") == BOT and (comment.get("body") or "").startswith(MARKER):
            return int(comment["id"])
    return None


def gh(*arguments: str, send: Mapping[str, str] | None = None) -> Any:
    """What GitHub answers. CalledProcessError, with gh's message on stderr, where it refuses."""
    given = ["--input", "-"] if send is not None else []
    done = subprocess.run(  # noqa: S603
        ["gh", "api", *given, *arguments],  # noqa: S607
        input=None if send is None else json.dumps(send),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except (FileNotFoundError, UnicodeDecodeError) as error:
        raise Refused(f"{path.name} of the artifact cannot be read: {error}") from None


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), os.environ)
    except Outdated as error:
        print(f"nothing posted: {error}")
    except (Refused, subprocess.CalledProcessError) as error:
        sys.exit(f"error: {error}")
