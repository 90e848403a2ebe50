"""What several test files share."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The folder of real upstream files; tests that need it skip where it is absent."""
    path = Path(os.environ.get("BENCH_MIRROR") or ROOT.parent / "shared" / "mirror")
    if not (path / "index.json").is_file():
        pytest.skip("no mirror of upstream files: set BENCH_MIRROR to one")
    return path
