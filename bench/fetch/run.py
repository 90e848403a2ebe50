"""The fetch stage: every file of the suite's sources, into raw/<source>/<path>.

The mirror is tried first, then the file's own URL. The sha256 decides, never the place. A file that is whole and right
is not fetched again, and files of equal content are fetched once.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.errors import BenchError
from bench.fetch.mirror import Mirror
from bench.fetch.progress import Progress, shown
from bench.fetch.receive import Read, receive
from bench.fetch.store import Store, opened
from bench.fetch.transport import NotThereError, TransferError, stream
from bench.hashing import hash_file
from bench.registry import File, Source
from bench.suite import Suite

WAYS_OUT = (
    "two ways out: name a mirror (BENCH_MIRROR, or fetch.mirror in params.yaml) that holds the files as "
    "<source>/<path> or in <source>.zip; or `dvc pull` them from the remote"
)


class Settings(NamedTuple):
    """`fetch` of params.yaml: the mirror if any, transfers at a time, and attempts after the first."""

    mirror: str | None
    jobs: int
    retries: int


class Wanted(NamedTuple):
    """A file of a source, and where it belongs."""

    source: str
    file: File
    target: Path

    @property
    def name(self) -> str:
        """`<source>/<path>`, as messages name it."""
        return f"{self.source}/{self.file.path}"


class Place(NamedTuple):
    """Where a file may be had: `mirror` or `url`, its address, and how to read it."""

    kind: str
    address: str
    read: Read


class Summary(NamedTuple):
    """Sources, and files by where their content came from: at hand before, the mirror, the url. `bytes` of all."""

    sources: int
    at_hand: int
    mirror: int
    url: int
    bytes: int


def settings(suite: Suite) -> Settings:
    """The suite's settings; BENCH_MIRROR in the environment wins."""
    given: dict[str, Any] = {"mirror": None, "jobs": 8, "retries": 3} | suite.params.get("fetch", {})
    return Settings(os.environ.get("BENCH_MIRROR") or given["mirror"], given["jobs"], given["retries"])


def fetch(suite: Suite) -> Summary:
    """Bring every file of the suite. BenchError with all failures, after everything else was brought."""
    chosen = settings(suite)
    _check_pinned(suite.sources)
    mirror = Mirror(chosen.mirror) if chosen.mirror else None
    wanted = [
        Wanted(source.name, file, suite.raw / source.name / file.path)
        for source in suite.sources
        for file in source.files
    ]
    with shown("fetch", len(wanted)) as progress, opened(suite.directory / ".fetch", progress) as store:
        fetcher = Fetcher(store, mirror, chosen.retries, progress)
        count = _in_parallel(fetcher, _by_content(wanted), chosen.jobs)
        if fetcher.failures:
            failures = "\n  ".join(sorted(fetcher.failures))
            raise BenchError(f"{len(fetcher.failures)} of {len(wanted)} files are missing\n  {failures}\n{WAYS_OUT}")
    total = sum(item.file.bytes or 0 for item in wanted)
    return Summary(len(suite.sources), count["at hand"], count["mirror"], count["url"], total)


def _check_pinned(sources: Sequence[Source]) -> None:
    lines = []
    for source in sources:
        if not source.pinned:
            unpinned = ", ".join(file.path for file in source.files if not file.pinned)
            lines.append(f"{source.name}: {unpinned}" + (f" ({source.how_to_get})" if source.how_to_get else ""))
    if lines:
        raise BenchError(
            "these files have no sha256 and bytes in the registry, so nothing says what is right\n  "
            + "\n  ".join(lines)
            + "\n`bench pin SOURCE` takes both from the url, or with --from DIR from a folder that has the files; or "
            "leave the source out of params.yaml"
        )


def _by_content(wanted: Sequence[Wanted]) -> list[list[Wanted]]:
    """The files that share a sha256 in one group; the largest first, since one begun last would be waited for."""
    groups: dict[str | None, list[Wanted]] = {}
    for item in wanted:
        groups.setdefault(item.file.sha256, []).append(item)
    return sorted(groups.values(), key=lambda group: -(group[0].file.bytes or 0))


def _in_parallel(fetcher: "Fetcher", groups: Sequence[Sequence[Wanted]], jobs: int) -> Counter[str]:
    """Bring all groups. Returns how many files came from where."""
    count: Counter[str] = Counter()
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for job in as_completed([pool.submit(fetcher.bring, group) for group in groups]):
                count.update(job.result())
        except BaseException:
            fetcher.progress.stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return count


# So many files in a row may break on the mirror, all attempts spent, before it is given up.
MIRROR_PATIENCE = 8


class Fetcher:
    """Brings groups of files of equal content, from many threads. `failures` has a line for each that no place gave."""

    def __init__(self, store: Store, mirror: Mirror | None, retries: int, progress: Progress) -> None:
        self.store = store
        self.mirror = mirror
        self.retries = retries
        self.progress = progress
        self.failures: list[str] = []
        self._mirror_broke = 0

    def bring(self, group: Sequence[Wanted]) -> dict[str, int]:
        """Make every file of the group whole and right at its target. Returns how many came from where."""
        sha256 = str(group[0].file.sha256)
        try:
            missing = [item for item in group if not _is_right(item.target, sha256)]
            origin = "at hand" if not missing or self.store.holds(sha256) else self._fill_store(sha256, missing)
            if origin is None:
                return {}
            for item in missing:
                self.store.place(sha256, item.target)
        except OSError as error:
            self.failures.append(f"{group[0].name}: {error}")
            return {}
        self.progress.done(len(group))
        return Counter({"at hand": len(group) - len(missing)}) + Counter({origin: len(missing)})

    def _fill_store(self, sha256: str, missing: Sequence[Wanted]) -> str | None:
        """Bring the content from the first place that has it. Returns that place's kind; None where there is none."""
        failures = []
        for item in missing:
            refused: list[tuple[Place, TransferError]] = []
            for place in self._places(item):
                try:
                    receive(place.read, self.store.partial(sha256), item.file, self.retries, self.progress)
                except TransferError as error:
                    refused.append((place, error))
                    self._doubt(place, error)
                    continue
                self.store.keep(sha256)
                self._mirror_broke = 0
                self._tell(item, refused)
                return place.kind
            said = "; ".join(f"{place.kind} {place.address}: {error}" for place, error in refused)
            failures.append(f"{item.name}: {said}")
        self.failures += failures
        return None

    def _doubt(self, place: Place, error: TransferError) -> None:
        """A mirror that breaks time and again is left alone: each file would wait for all its attempts."""
        if place.kind != "mirror" or not error.again:
            return
        self._mirror_broke += 1
        if self._mirror_broke == MIRROR_PATIENCE:
            self.progress.say(f"the mirror {place.address} broke {MIRROR_PATIENCE} times in a row; going on without it")
            self.mirror = None

    def _places(self, item: Wanted) -> Iterator[Place]:
        if self.mirror:
            key = item.file.mirror or item.name
            yield Place("mirror", self.mirror.url(key), partial(self.mirror.stream, key))
        yield Place("url", item.file.url, partial(stream, item.file.url))

    def _tell(self, item: Wanted, refused: Sequence[tuple[Place, TransferError]]) -> None:
        """A mirror may well lack a file; that it serves a wrong one, or breaks, is worth a line."""
        for place, error in refused:
            if not isinstance(error, NotThereError):
                self.progress.say(f"{item.name}: {place.kind} {place.address}: {error}; taken from the url")


def _is_right(path: Path, sha256: str) -> bool:
    return path.is_file() and hash_file(path).sha256 == sha256
