"""Parts kept from an earlier run, so that a source is read again only when its bytes, its settings or the code changed.

`<suite>/.work/parts/<source>/<key>.json` is a part, `<key>.jsonl` its entries. The key is over everything that decides
them, the bytes of the raw files first; both files' sha256 stand in the part, so that a damaged one is read anew.
"""

import hashlib
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from bench.hashing import code_digest, hash_file
from bench.ids import digest
from bench.jsonl import encode, replacing
from bench.normalize.corpora import Part, read_source
from bench.registry import Source

# Whose versions decide what is read from the same bytes.
LIBRARIES = ("ijson", "msgspec", "pillow", "pyarrow", "pypdfium2")


class _Stored(msgspec.Struct):
    entries: str
    sha256: str
    part: msgspec.Raw


def read_or_keep(source: Source, raw: Path, options: dict[str, Any], assign: dict[str, Any], parts: Path) -> Part:
    """The part of `source`, an earlier run's where that still holds. `parts` is the suite's folder of kept parts."""
    folder = parts / source.name
    folder.mkdir(parents=True, exist_ok=True)
    key = _key(source, raw, options, assign)
    stored, entries = folder / f"{key}.json", folder / f"{key}.jsonl"
    part = _load(stored, entries)
    if part:
        return part
    for leftover in folder.iterdir():
        leftover.unlink(missing_ok=True)
    part = read_source(source, raw, options, assign, entries)
    encoded = msgspec.json.encode(part, enc_hook=str)
    sealed = _Stored(hash_file(entries).sha256, hashlib.sha256(encoded).hexdigest(), msgspec.Raw(encoded))
    with replacing(stored) as file:
        file.write(msgspec.json.encode(sealed))
    return part


def _key(source: Source, raw: Path, options: dict[str, Any], assign: dict[str, Any]) -> str:
    described = msgspec.structs.replace(source, citation=None, how_to_get=None, retrieved_at=None)
    return digest(
        encode(described).decode(),
        *(hash_file(raw / file.path).sha256 for file in source.files),
        encode({"options": options, "assign": assign}).decode(),
        code_digest(("bench",)),
        platform.python_version(),
        *(version(library) for library in LIBRARIES),
    )


def _load(stored: Path, entries: Path) -> Part | None:
    try:
        kept = msgspec.json.decode(stored.read_bytes(), type=_Stored)
        if (hash_file(entries).sha256, hashlib.sha256(kept.part).hexdigest()) == (kept.entries, kept.sha256):
            return msgspec.json.decode(kept.part, type=Part, dec_hook=lambda kind, value: kind(value))
    except (OSError, msgspec.MsgspecError):
        pass
    return None
