"""Imported first by every stage: the code beside the stage is the code that runs, and a wrong Python says so.

DVC runs stages with whatever `python` is first on PATH. Where that one is too old or lacks a dependency, the stage ends
with a sentence instead of a traceback. This file must therefore be readable by any Python 3.6 or later.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NEEDS = ("typer", "rich", "msgspec", "ruamel", "jsonschema_rs", "fsspec", "pyarrow", "pypdfium2", "PIL", "bm25s")


def complaint() -> str:
    """What this Python lacks; empty where it will do."""
    if sys.version_info < (3, 11):  # noqa: UP036  the Python that runs this may be any
        return "is older than 3.11"
    lacking = [name for name in NEEDS if find_spec(name) is None]
    return f"lacks {', '.join(lacking)}" if lacking else ""


sys.path.insert(0, str(ROOT))
wrong = complaint()
if wrong:
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    sys.exit(
        f"error: this stage runs under {sys.executable} (Python {version}), which {wrong}: "
        "run `make repro`, or put the repository's .venv/bin first on PATH"
    )
