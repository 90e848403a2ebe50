"""A wheel, tinytools-1.0-py3-none-any.whl, with METADATA, WHEEL, and a RECORD of true hashes.

Faults on purpose: a module that does not parse, a docstring of one word.
"""

import base64
import hashlib

from bench.starter.generate.files import csv_bytes, text_blocks, zip_bytes

_INFO = "tinytools-1.0.dist-info"
_METADATA = """\
Metadata-Version: 2.1
Name: tinytools
Version: 1.0
Summary: Small helpers of everyday use
License: CC0-1.0
Requires-Python: >=3.8
"""
_WHEEL = """\
Wheel-Version: 1.0
Generator: bench.starter.generate
Root-Is-Purelib: true
Tag: py3-none-any
"""


def files() -> dict[str, bytes]:
    """The wheel."""
    members = {path: source.encode() for path, source in text_blocks("tinytools")}
    members |= {f"{_INFO}/METADATA": _METADATA.encode(), f"{_INFO}/WHEEL": _WHEEL.encode()}
    record = f"{_INFO}/RECORD"
    rows = [[name, _hash(content), str(len(content))] for name, content in members.items()]
    rows.append([record, "", ""])
    return {"tinytools-1.0-py3-none-any.whl": zip_bytes({**members, record: csv_bytes(rows)})}


def _hash(content: bytes) -> str:
    """A hash as RECORD writes it: base64 for addresses, without padding."""
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
