"""The verify stage: raw/ is what the registry says, and its manifest is written to corpus/manifest.jsonl.

Every file is hashed and then opened as what it claims to be. A missing, extra, changed or unreadable file is a finding;
all findings are told at once, and a manifest is written only where there are none.
"""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from bench.errors import BenchError
from bench.hashing import Content, hash_file
from bench.ids import digest
from bench.jsonl import write_rows
from bench.registry import File, Source
from bench.suite import Suite
from bench.upstream import adapter
from bench.verify.openers import Detail, opener

# Under this, one process is done before a second has started.
PARALLEL_BYTES = 64_000_000
LARGE_BYTES = 1_000_000
BATCH = 64


class Checked(NamedTuple):
    """A file as it was found: a finding (empty where it is right), what it holds, its kind and what that told."""

    finding: str
    bytes: int = 0
    kind: str = ""
    detail: Detail | None = None


class Summary(NamedTuple):
    """What verify looked at."""

    sources: int
    files: int
    bytes: int


def verify(suite: Suite) -> Summary:
    """Check all raw files and write the manifest. BenchError with every finding, and no manifest, where one fails."""
    suite.manifest.unlink(missing_ok=True)
    suite.check_raw_is_what_params_list()
    sources = sorted(suite.sources, key=lambda source: source.name)
    tasks = [(suite.raw / source.name, file) for source in sources for file in source.files]
    checked = dict(zip(tasks, check_files(tasks), strict=True))
    findings: list[str] = []
    rows = []
    for source in sources:
        folder = suite.raw / source.name
        own = [(file, checked[folder, file]) for file in sorted(source.files, key=lambda file: file.path)]
        findings += [f"{source.name}/{file.path}: {found.finding}" for file, found in own if found.finding]
        findings += [f"{source.name}/{path}: {_EXTRA}" for path in extra_files(folder, source)]
        rows.append(manifest_row(source, own))
    if findings:
        raise BenchError(f"{suite.show(suite.raw)}: {len(findings)} findings\n  " + "\n  ".join(findings))
    write_rows(suite.manifest, rows)
    return Summary(len(sources), len(tasks), sum(found.bytes for found in checked.values()))


_EXTRA = "is not in the registry: remove it, or list it with `bench pin`"
_AGAIN = "run the fetch stage, or `dvc pull`"
Task = tuple[Path, File]


def check_files(tasks: Sequence[Task]) -> list[Checked]:
    """What `check` says of every task, in their order; in several processes where there is much to read.

    Processes, since threads make small files slower, and pdfium may not run in several threads.
    """
    workers = min(os.cpu_count() or 1, 8)
    if workers == 1 or sum(file.bytes or 0 for _, file in tasks) < PARALLEL_BYTES:
        return [check(task) for task in tasks]
    order = sorted(range(len(tasks)), key=lambda number: -(tasks[number][1].bytes or 0))
    results: dict[int, Checked] = {}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        batches = list(_batches(order, tasks))
        for batch, found in zip(batches, pool.map(_check_batch, [[tasks[n] for n in b] for b in batches]), strict=True):
            results.update(zip(batch, found, strict=True))
    return [results[number] for number in range(len(tasks))]


def _batches(order: Sequence[int], tasks: Sequence[Task]) -> Iterator[Sequence[int]]:
    """Large files one by one, small ones together: to hand a file over costs more than to hash a small one."""
    large = [number for number in order if (tasks[number][1].bytes or 0) >= LARGE_BYTES]
    yield from ([number] for number in large)
    for start in range(len(large), len(order), BATCH):
        yield order[start : start + BATCH]


def _check_batch(tasks: Sequence[Task]) -> list[Checked]:
    return [check(task) for task in tasks]


def check(task: Task) -> Checked:
    """Hash one file, then open it. A file with other bytes than the registry says is not opened."""
    folder, file = task
    path = folder / file.path
    if path.exists() and not path.is_file():
        return Checked(f"is no regular file: {_AGAIN}")
    try:
        found = hash_file(path)
    except FileNotFoundError:
        return Checked(f"is missing, expected sha256 {file.sha256}: {_AGAIN}")
    except OSError as error:
        return Checked(f"cannot be read: {error.strerror}")
    if wrong := _differs(file, found):
        return Checked(wrong)
    kind, read = opener(path)
    try:
        detail = read(path)
    except Exception as error:  # every library has errors of its own, and one broken file must not hide the others
        reason = " ".join(str(error).replace(str(path), path.name).split()) or type(error).__name__
        return Checked(
            f"its sha256 is right, but it is no readable {kind} file: {reason}; the registry pins a broken file"
        )
    return Checked("", found.bytes, kind, detail)


def _differs(file: File, found: Content) -> str:
    if file.sha256 != found.sha256:
        return f"expected sha256 {file.sha256}, found {found.sha256} ({found.bytes} bytes): {_AGAIN}"
    if file.bytes != found.bytes:
        return (
            f"its sha256 is right, but the registry says {file.bytes} bytes and it has {found.bytes}: correct the entry"
        )
    return ""


def extra_files(folder: Path, source: Source) -> list[str]:
    """Paths in `folder` that the registry does not list, links among them, sorted. DVC's own .gitignore is no data."""
    listed = {file.path for file in source.files}
    found = set()
    for parent, folders, names in os.walk(folder):
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        found |= {(Path(parent) / name).relative_to(folder).as_posix() for name in (*names, *links)}
    return sorted(found - listed - {".gitignore"})


def manifest_row(source: Source, files: Sequence[tuple[File, Checked]]) -> dict[str, Any]:
    """The manifest's line of a source. It has no moment but the entry's own, and no path of this machine."""
    return {
        "source": source.name,
        "dataset": source.dataset,
        "modality": source.modality,
        "title": source.title,
        "url": source.url,
        "revision": source.revision,
        "retrieved_at": source.retrieved_at,
        "text": source.text,
        "annotation_source": source.annotation_source,
        "licence": source.licence,
        "citation": source.citation,
        "assigned": list(adapter(source.adapter).ASSIGNED),
        "sha256": source_hash([file for file, _ in files]),
        "files": [
            {"path": file.path, "url": file.url, "sha256": file.sha256, "bytes": file.bytes, "kind": found.kind}
            | ({"detail": found.detail} if found.detail else {})
            for file, found in files
        ],
    }


def source_hash(files: Sequence[File]) -> str:
    """One sha256 for a source: over a line `path NUL sha256 LF` a file, sorted by path."""
    lines = sorted(f"{file.path}\0{file.sha256}\n" for file in files)
    return digest("".join(lines))
