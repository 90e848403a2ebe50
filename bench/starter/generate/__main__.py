"""`python -m bench.starter.generate`: writes all files of the starter anew, and the registry entries that pin them."""

import shutil
from importlib import import_module
from pathlib import Path

from bench.starter.generate.registry import ENTRIES, registry_entry

_BENCH = Path(__file__).resolve().parents[2]


def write(starter: Path, sources: Path) -> None:
    """Write `starter`/<name>/... and `sources`/starter-<name>.yaml; what else stands in <name>/ is removed."""
    for entry in ENTRIES:
        files: dict[str, bytes] = import_module(f"bench.starter.generate.{entry.adapter}").files()
        directory = starter / entry.name
        shutil.rmtree(directory, ignore_errors=True)
        for path, data in files.items():
            file = directory / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        (sources / f"starter-{entry.name}.yaml").write_bytes(registry_entry(entry, files).encode())


if __name__ == "__main__":
    write(_BENCH / "starter", _BENCH / "sources")
