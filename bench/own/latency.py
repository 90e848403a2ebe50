"""latency.json beside a run: `{<modality>|all: {n, p50_ms, p95_ms}}`. It is shown, never scored: it differs from run to
run and from machine to machine.
"""

from pathlib import Path

import msgspec

from bench.errors import BenchError
from bench.jsonl import read_document

ALLOWED = "allowed: {all or a modality: {n, p50_ms, p95_ms}}, where p50_ms and p95_ms may be left out"


class Latency(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Milliseconds a query over `n` queries; a percentile of too few is absent."""

    n: int
    p50_ms: float | None = None
    p95_ms: float | None = None


def read_latency(folder: Path) -> dict[str, Latency]:
    """What stands beside the run; {} where nothing does. BenchError where it is something else."""
    path = folder / "latency.json"
    if not path.is_file():
        return {}
    try:
        return msgspec.convert(read_document(path), dict[str, Latency])
    except msgspec.ValidationError as error:
        raise BenchError(f"{path}: {error}; {ALLOWED}") from None


def latency_line(latency: dict[str, Latency]) -> str:
    """`latency: all p50 1.2 ms, p95 3.4 ms (n=369); pdf ...`."""
    return "latency: " + "; ".join(f"{name} {_percentiles(values)}" for name, values in latency.items())


def _percentiles(values: Latency) -> str:
    named = (("p50", values.p50_ms), ("p95", values.p95_ms))
    shown = ", ".join(f"{name} {value:.3f} ms" for name, value in named if value is not None)
    return f"{shown or 'too few to say'} (n={values.n:,})"
