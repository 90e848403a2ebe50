"""Headless Chromium, as the tests of the page use it: a page in, its finished DOM or a picture out."""

import html
import re
import shutil
import subprocess
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


class Browser:
    """`folder` holds the pages and an empty profile for each start."""

    def __init__(self, folder: Path) -> None:
        program = next(filter(None, map(shutil.which, NAMES)), None)
        if program is None:
            pytest.skip(f"no browser: none of {', '.join(NAMES)} is on PATH")
        self.program = program
        self.folder = folder
        self.starts = 0

    def dom(self, page: str, *flags: str) -> str:
        """The DOM after the page's scripts ran."""
        return self._run(page, "--dump-dom", "--virtual-time-budget=2000", *flags)

    def picture(self, page: str, width: int, height: int, *flags: str) -> bytes:
        """A PNG of the page's upper left."""
        target = self.folder / f"{self.starts}.png"
        self._run(page, f"--screenshot={target}", f"--window-size={width},{height}", *flags)
        return target.read_bytes()

    def _run(self, page: str, *flags: str) -> str:
        self.starts += 1
        file = self.folder / f"{self.starts}.html"
        file.write_text(page, encoding="utf-8")
        profile = f"--user-data-dir={self.folder / f'profile-{self.starts}'}"
        command = [self.program, *FLAGS, profile, *flags, file.as_uri()]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def with_script(page: str, script: str) -> str:
    """The page with one more script at its end, and without the policy that forbids it."""
    return _POLICY.sub("", page).replace("</body>", f"<script>{script}</script></body>")


def framed(page: str, width: int, script: str) -> str:
    """The page, policy and all, in a frame of that width; `script` may use `inner`, the frame's window."""
    return (
        f'<!doctype html><body><iframe id="f" width="{width}" height="900" srcdoc="{html.escape(page)}"></iframe>'
        f"<script>onload = () => {{ const inner = document.getElementById('f').contentWindow; {script} }}</script>"
    )


def title(dom: str) -> str:
    """What a test's script left as the title."""
    found = re.search(r"<title>(.*?)</title>", dom, re.DOTALL)
    assert found, dom[:500]
    return html.unescape(found[1])
