"""What later stages read of corpus/manifest.jsonl, which verify writes."""

import msgspec

from bench.jsonl import read_rows
from bench.suite import Suite


class ManifestLine(msgspec.Struct, frozen=True):
    """A source. `text` is `units` or `none`."""

    source: str
    dataset: str
    text: str


def listed(suite: Suite) -> set[str]:
    """The names of the manifest's sources."""
    return {line.source for line in read_rows(suite.manifest, ManifestLine)}


def textless(suite: Suite) -> set[str]:
    """The datasets without text, on which a system that reads cannot be measured."""
    return {line.dataset for line in read_rows(suite.manifest, ManifestLine) if line.text == "none"}
