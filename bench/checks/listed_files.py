"""sets/ and corpus/ hold the files of the suite's modalities, and nothing else.

A set that is missing is minimum_counts' to report.
"""

from collections.abc import Iterator

from bench.checks.base import Contents, Finding

CODE = "E106"
NAME = "listed_files"
REMEDY = "Remove what is left of a removed source, or list its source in params.yaml and rebuild."

_BESIDE = {"sets": {"excluded.jsonl", "resolved.jsonl"}, "corpus": {"manifest.jsonl"}}


def check(contents: Contents) -> Iterator[Finding]:
    """Yield each file that is not expected, and each corpus that is missing."""
    named = {f"{modality}.jsonl" for modality in contents.modalities}
    for folder, beside in _BESIDE.items():
        allowed = f"{', '.join(sorted(named | beside))}: the modalities of corpus/manifest.jsonl"
        for name in sorted(contents.files[folder] - named - beside):
            yield Finding(CODE, f"{folder}/{name}", 0, "", "a file of no source of this suite", allowed)
    for name in sorted(named - contents.files["corpus"]):
        yield Finding(CODE, f"corpus/{name}", 0, "", "no such file", "one corpus file a modality of the manifest")
