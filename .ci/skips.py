"""Fail on a test that was skipped: `python .ci/skips.py JUNIT_XML [ACCEPTED_REASON...]`.

A skipped test shows nothing, so none passes unseen. A skip whose message holds an ACCEPTED_REASON is let through.
"""

import sys
import xml.etree.ElementTree as ElementTree


def unexpected_skips(junit: str, accepted: list[str]) -> list[str]:
    """One line a skipped test or module, with its reason. An expected failure (xfail) is no skip."""
    return [
        f"{case.get('classname')}::{case.get('name')}: {skipped.get('message')}"
        for case in ElementTree.parse(junit).iter("testcase")  # noqa: S314  (pytest wrote it a moment ago)
        for skipped in case.iter("skipped")
        if skipped.get("type") != "pytest.xfail"
        and not any(reason in skipped.get("message", "") for reason in accepted)
    ]


if __name__ == "__main__":
    found = unexpected_skips(sys.argv[1], sys.argv[2:])
    for line in found:
        print(f"error: skipped unexpectedly: {line}", file=sys.stderr)
    sys.exit(1 if found else 0)
