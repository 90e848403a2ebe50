"""The `bench` command: each subcommand parses its options and calls one function.

Imports stand within the subcommands that need them, so that `bench --help` is quick.
"""

from pathlib import Path
from typing import Annotated

import typer

from bench.errors import plain_errors
from bench.options import STARTER, SuiteDirectory

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help="Evidence retrieval benchmarks.")

SUITE_HELP = "A suite's directory, such as bench or suites/third-party."


@app.callback()
def main() -> None:
    """Evidence retrieval benchmarks: frozen, scored, and compared."""


@app.command()
@plain_errors
def sources(
    suite: Annotated[Path | None, typer.Option(help=SUITE_HELP + " Lists its sources alone.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON array.")] = False,
) -> None:
    """List the source registry: modality, files, bytes, licence, who annotated, pinned or not.

    Tab-separated with a header where the output is no terminal.
    """
    from bench.listing import show
    from bench.registry import load_source, source_names
    from bench.suite import Suite

    show(Suite(suite).sources if suite else [load_source(name) for name in source_names()], json)


@app.command()
@plain_errors
def pin(
    source: Annotated[str, typer.Argument(help="A name of bench/sources, or of the suite's own sources/.")],
    folder: Annotated[
        Path | None, typer.Option("--from", help="Take files from this folder where it holds them under their paths.")
    ] = None,
    update: Annotated[bool, typer.Option("--update", help="Take all files anew, even pinned ones.")] = False,
    suite: Annotated[Path | None, typer.Option(help=SUITE_HELP + " Its own registry is looked at first.")] = None,
) -> None:
    """Write sha256, bytes and retrieved_at of a source's files into its registry entry.

    Without --update only files that have none yet are fetched, and a pinned hash is never changed.
    """
    from bench.fetch.pin import pin as pin_source
    from bench.suite import Suite

    for change in pin_source(source, folder, update, [Suite(suite).registry] if suite else []):
        before = f", before {change.before}" if change.before not in (None, change.content.sha256) else ""
        print(f"{source}/{change.path}: {change.content.sha256}, {change.content.bytes} bytes{before}")


@app.command()
@plain_errors
def summary(suite: SuiteDirectory = STARTER) -> None:
    """Show what was built: sources, queries by class, holders, rows left out by reason, and the score tables."""
    from bench.jsonl import read_document
    from bench.normalize.report import print_dataset
    from bench.score.report import print_scores
    from bench.suite import Suite

    loaded = Suite(suite)
    print_dataset(read_document(loaded.metrics / "dataset.json"))
    systems = loaded.params["retrieve"]["systems"]
    scores = {system: read_document(loaded.metrics / system / "scores.json") for system in systems}
    print_scores(scores, loaded.params["score"])
