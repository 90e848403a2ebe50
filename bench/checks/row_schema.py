"""Every line satisfies the JSON Schema of its kind: bench/schema/annotation.schema.json or corpus.schema.json.

Problems within a region are region_kind's.
"""

from collections.abc import Iterator

from bench.checks.base import Finding, Line
from bench.checks.region_kind import in_region

CODE = "E102"
NAME = "row_schema"
REMEDY = "Correct the field that the message names; the schema describes every field."


def check(line: Line) -> Iterator[Finding]:
    """Yield each problem outside of regions."""
    for problem in line.problems:
        if not in_region(problem):
            yield line.finding(CODE, problem, f"what bench/schema/{line.kind}.schema.json says")
