"""`bench custom`: data sets of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from bench.errors import plain_errors

app = typer.Typer(no_args_is_help=True, help="Check, convert and evaluate retrieval data sets of your own.")

Folder = Annotated[
    Path, typer.Argument(help="A folder with corpus.jsonl, queries.jsonl and qrels.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document.")]


@app.command()
@plain_errors
def check(
    folder: Folder,
    every: Annotated[bool, typer.Option("--all", help="Every finding, not the first of each kind.")] = False,
    json: Json = False,
) -> None:
    """Say all that is wrong with a data set: file, line, what is allowed. Exit 0 fine or warnings, 1 errors."""
    from bench.custom.check import check as check_folder
    from bench.custom.findings import KEPT
    from bench.custom.report import show

    report = check_folder(folder, None if every else KEPT)
    show(report, json, every)
    raise typer.Exit(1 if report.errors else 0)


@app.command()
@plain_errors
def convert(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="corpus=FILE, queries=FILE, qrels=FILE or qrels:SPLIT=FILE; or a folder of parquet configs.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option(help="A folder that is empty or not there yet.", show_default=False)],
    mapped: Annotated[
        list[str] | None, typer.Option("--map", metavar="ROLE.FIELD=COLUMN", help="As corpus._id=docno.")
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE=NAME,NAME", help="The columns of a CSV or TSV file that has no header line."),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Of text files; default UTF-8, or as a byte order mark says.")
    ] = None,
    quoting: Annotated[
        str, typer.Option(help="double: fields may stand in double quotes; none: quotes are text.")
    ] = "double",
    topic_ids: Annotated[str, typer.Option(help="num, or position: topics count from 1 in their order.")] = "num",
    json: Json = False,
) -> None:
    """Turn CSV, TSV, JSON Lines, TREC or parquet files into a data set, and say how each was read."""
    from bench.custom.convert.options import Options
    from bench.custom.convert.run import run
    from bench.custom.convert.show import show

    options = Options.parse(mapped or [], columns or [], encoding, quoting, topic_ids)
    show(run(sources, out, options), out, json)


@app.command()
@plain_errors
def evaluate(
    folder: Folder,
    system: Annotated[str, typer.Option(help="bm25.")] = "bm25",
    k1: Annotated[float, typer.Option(help="BM25: how soon a repeated word counts no more.")] = 1.2,
    b: Annotated[float, typer.Option(help="BM25: how much a long document counts less.")] = 0.75,
    splits: Annotated[str, typer.Option(help="Names between commas. Default: all.")] = "",
    limit: Annotated[
        int | None, typer.Option(help="Ask so many queries of a split, drawn by hash; the corpus stays whole.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Compute even what is kept.")] = False,
    outputs: Annotated[Path, typer.Option(help="Where results go: OUTPUTS/SET/SYSTEM/.")] = Path("outputs"),
    json: Json = False,
) -> None:
    """Score a system on a data set without errors. Kept results are shown only for equal data, settings and code."""
    from bench.custom.evaluate import Options, Refused
    from bench.custom.evaluate import evaluate as evaluate_folder
    from bench.custom.show import show, show_refused

    names = [name for name in splits.split(",") if name]
    try:
        outcome = evaluate_folder(folder, Options(system, k1, b, names, limit, overwrite), outputs)
    except Refused as refused:
        show_refused(refused.report)
        raise
    show(outcome, json)
