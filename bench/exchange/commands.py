"""`bench runs`: runs from and to other tools' formats."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bench.errors import BenchError, plain_errors
from bench.options import STARTER, SuiteDirectory

app = typer.Typer(no_args_is_help=True, help="Bring runs from other tools' formats, and back.")


@app.command("import")
@plain_errors
def import_(
    out: Annotated[Path, typer.Option(help="A folder that is empty or not there yet.", show_default=False)],
    trec: Annotated[Path | None, typer.Option(help="Lines of `qid Q0 docid rank score tag`.")] = None,
    beir: Annotated[Path | None, typer.Option(help="JSON {qid: {docid: score}}.")] = None,
    ranx: Annotated[Path | None, typer.Option(help="JSON {qid: {docid: score}}, as Run.save writes it.")] = None,
    atoms: Annotated[Path | None, typer.Option(help="An atoms.jsonl: the docids are its atom_ids.")] = None,
    strong_from: Annotated[
        float | None, typer.Option(help="Hits of this score or more are strong. Default: none is.")
    ] = None,
    suite: SuiteDirectory = STARTER,
) -> None:
    """Turn a TREC, BEIR or ranx result into a run: OUT/<modality>.jsonl.

    A docid is `source_id#region`, as doc.pdf#{"page":3}; an image's may be its source_id alone.
    """
    from bench.exchange.imports import import_run
    from bench.exchange.read import read_json, read_trec
    from bench.suite import Suite

    given = [(path, read) for path, read in ((trec, read_trec), (beir, read_json), (ranx, read_json)) if path]
    if len(given) != 1:
        raise BenchError("name one file: --trec FILE, --beir FILE or --ranx FILE")
    path, read = given[0]
    done = import_run(path, read(path), Suite(suite), out, strong_from, atoms)
    counts = ", ".join(f"{modality} {lines:,}" for modality, lines in done.lines.items())
    print(f"{out}: {sum(done.lines.values()):,} queries ({counts}), {done.hits:,} hits, {done.strong:,} strong")
    if strong_from is None:
        print(
            "warning: no hit is marked strong, so false_recall will be 0: give --strong-from the score from which "
            "your system answers",
            file=sys.stderr,
        )


@app.command()
@plain_errors
def export(
    run: Annotated[Path, typer.Argument(help="A folder or file, or a system of the suite.", show_default=False)],
    trec: Annotated[Path, typer.Option(help="Write the hits here.", show_default=False)],
    qrels: Annotated[Path | None, typer.Option(help="Write the gold of the answerable queries here.")] = None,
    split: Annotated[str, typer.Option(help="dev, test or all.")] = "dev",
    suite: SuiteDirectory = STARTER,
) -> None:
    """Write a run, and its gold, as TREC text: docids are `source_id#region`."""
    from bench.exchange.exports import export_run
    from bench.suite import Suite

    done = export_run(Suite(suite), run, split, trec, qrels)
    print(f"{trec}: {done.hits:,} hits" + (f"; {qrels}: {done.judgements:,} judgements" if qrels else ""))
    if qrels and done.factor > 1:
        print(f"note: grades are multiplied by {done.factor}, as qrels hold integers; nDCG stays", file=sys.stderr)
    if done.overlap:
        print(
            f"note: {' and '.join(done.overlap)} count overlap, which qrels cannot express: other tools will score "
            "these lower",
            file=sys.stderr,
        )
