"""Where the repository lies: paths in registry entries, params and messages are relative to it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
