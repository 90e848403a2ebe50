"""A repository of git and DVC in a folder of a test's own, with one suite that is frozen in commits."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import yaml
from hand_made import SUITE

PYTHON = str(Path(sys.executable))


class Repository:
    """`freeze` commits what lies in the suite as the stages would: data to DVC's cache, metrics to git."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root
        self.git("init", "--quiet", "--initial-branch=main")
        self.dvc("init", "--quiet")

    @property
    def suite(self) -> Path:
        """The suite's directory."""
        return self.root / SUITE

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
        done = subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def dvc(self, *arguments: str) -> None:
        environment = {**os.environ, "DVC_NO_ANALYTICS": "1"}
        command = [PYTHON, "-m", "dvc", *arguments]
        done = subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def freeze(self, message: str) -> str:
        """Commit the suite; returns the sha."""
        outs = sorted(
            path.relative_to(self.suite).as_posix()
            for folder, pattern in (("sets", "*"), ("corpus", "*"), ("runs", "*"), ("scores", "*/per_query.jsonl"))
            for path in (self.suite / folder).glob(pattern)
            if not path.name.startswith(".")
        )
        stage = {"cmd": "python -c pass", "outs": outs}
        (self.suite / "dvc.yaml").write_text(yaml.safe_dump({"stages": {"build": stage}}), encoding="utf-8")
        kept_out = [f"/{SUITE}/{name}/" for name in ("raw", "sets", "corpus", "runs", "scores", ".work")]
        (self.root / ".gitignore").write_text("\n".join(kept_out) + "\nlatency.json\n", encoding="utf-8")
        self.dvc("commit", "--force", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        return self.git("rev-parse", "HEAD")

    def diff(self, *arguments: str, root: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run `bench diff` within the repository, or within another folder."""
        command: Sequence[str] = [PYTHON, "-c", "from bench.cli import app; app()", "diff", *arguments]
        environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "DVC_NO_ANALYTICS": "1"}
        return subprocess.run(
            command, cwd=root or self.root, env=environment, capture_output=True, text=True, check=False
        )
