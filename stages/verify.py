"""Verify: re-hash every raw file, open it as what it claims to be, and write the manifest."""

import _interpreter  # noqa: F401  says so where the wrong Python runs this

# isort: split

from bench.options import STARTER, SuiteDirectory, run
from bench.suite import Suite
from bench.verify.run import verify


def main(suite: SuiteDirectory = STARTER) -> None:
    """Re-hash SUITE/raw, open each file as what it claims to be, and write SUITE/corpus/manifest.jsonl.

    A changed, missing, extra or unreadable file ends it with exit code 1; all of them are named at once.
    """
    done = verify(Suite(suite))
    print(f"verify: {done.sources} sources, {done.files} files, {done.bytes / 1e6:,.1f} MB as the registry says")


if __name__ == "__main__":
    run(main)
