"""The manifest states every source's licence, and a query's origin.license is that of its dataset."""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding

CODE = "E132"
NAME = "licence"
REMEDY = "State the SPDX id in the source's registry entry (NOASSERTION where upstream states none) and rebuild."


def check(contents: Contents) -> Iterator[Finding]:
    """Yield manifest lines without a licence, and queries with another one."""
    for row in contents.manifest:
        if not row.licence:
            yield row.finding(CODE, f"{row.source} states no licence", "licence.spdx, an SPDX id or NOASSERTION")
    for query in contents.queries:
        origin = query.annotation.origin
        stated = contents.by_dataset.get(origin.dataset)
        if stated and stated.licence and origin.license != stated.licence:
            yield query.finding(CODE, f"license {origin.license}", f"{stated.licence}, as the manifest says")
