"""Fetch: bring every file of a suite's sources into <suite>/raw, from a mirror or its own url."""

import _interpreter  # noqa: F401  says so where the wrong Python runs this

# isort: split

from bench.fetch.run import fetch
from bench.options import STARTER, SuiteDirectory, run
from bench.suite import Suite


def main(suite: SuiteDirectory = STARTER) -> None:
    """Bring every file of the suite's sources into SUITE/raw/<source>/.

    Files that are whole and right stay. A mirror (BENCH_MIRROR, or fetch.mirror in params.yaml: a folder or any URL
    that fsspec reads) is tried first; the sha256 in the registry decides. A killed run goes on where it stopped.
    """
    done = fetch(Suite(suite))
    files = done.at_hand + done.mirror + done.url
    print(
        f"fetch: {done.sources} sources, {files} files, {done.bytes / 1e6:,.1f} MB: "
        f"{done.at_hand} at hand, {done.mirror} from the mirror, {done.url} from their url"
    )


if __name__ == "__main__":
    run(main)
