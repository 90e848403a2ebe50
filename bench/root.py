"""Where the repository lies: paths in registry entries, params and messages are relative to it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def shown(path: Path) -> str:
    """`path` as messages and files name it: relative to the repository where it lies inside."""
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()
