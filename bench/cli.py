"""The `bench` command: each subcommand parses its options and calls one function.

Imports stand within the subcommands that need them, so that `bench --help` is quick.
"""

from pathlib import Path
from typing import Annotated

import typer

from bench.custom.commands import app as custom
from bench.errors import plain_errors
from bench.exchange.commands import app as runs
from bench.options import STARTER, SuiteDirectory

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help="Evidence retrieval benchmarks.")
app.add_typer(custom, name="custom")
app.add_typer(runs, name="runs")

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


@app.command()
@plain_errors
def evaluate(
    qrels: Annotated[Path, typer.Option(help="Judgements: .parquet, .jsonl, or TREC or BEIR text.")],
    run: Annotated[Path, typer.Option(help="Rankings: .parquet, .jsonl, or TREC text.")],
    per_query: Annotated[Path | None, typer.Option(help="Write each query's values here: .tsv, or JSON Lines.")] = None,
    allow_unknown: Annotated[
        bool, typer.Option("--allow-unknown", help="Leave out queries that nobody judged.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Score a ranking of document ids against qrels, as trec_eval does with -c; see docs/evaluate.md."""
    from bench.rankings.evaluate import evaluate as evaluate_run
    from bench.rankings.report import show

    show(evaluate_run(qrels, run, per_query, allow_unknown), json)


@app.command()
@plain_errors
def score(
    run: Annotated[Path, typer.Option(help="A folder of <modality>.jsonl, one such file, or a system of the suite.")],
    suite: SuiteDirectory = STARTER,
    split: Annotated[str, typer.Option(help="dev; test or all are for acceptance, not for tuning.")] = "dev",
    out: Annotated[
        Path | None, typer.Option(help="Write scores.json, per_query.jsonl and provenance.json into this folder.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Score a run of your own: all its faults at once, or its scores. Nothing is written into the suite.

    With --split test or all, exit 0: accepted, 1: not accepted, 2: cannot be said. See docs/scoring-your-system.md.
    """
    from bench.own.score import score_own, show, write
    from bench.suite import Suite

    loaded = Suite(suite)
    scores = score_own(loaded, run, split)
    if out:
        write(loaded, scores, out)
    show(loaded, scores, json)
    raise typer.Exit(scores.exit_code)


@app.command()
@plain_errors
def explain(
    query_id: Annotated[str, typer.Argument(help="As in the sets.", show_default=False)],
    run: Annotated[
        list[Path] | None, typer.Option(help="A folder or file, or a system. Default: all of the suite.")
    ] = None,
    hits: Annotated[int, typer.Option(min=1, help="How many hits of each run to show.")] = 10,
    suite: SuiteDirectory = STARTER,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Show a query, its gold, and what each system returned: why a hit counts, leaks, or is oversized."""
    from bench.explain.collect import explain as explain_query
    from bench.explain.show import show
    from bench.suite import Suite

    show(explain_query(Suite(suite), query_id, run or [], hits), json)


@app.command()
@plain_errors
def doctor(
    suite: Annotated[Path | None, typer.Option(help=SUITE_HELP + " Default: every suite.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Leave the data that DVC keeps unread.")] = False,
    rescore: Annotated[bool, typer.Option("--rescore", help="Compute the scores anew, too; needs the data.")] = False,
) -> None:
    """Say whether dvc.lock, metrics, provenance, code, params and data belong together. Exit 1 where they do not.

    In a clone without data, the data is said to be unchecked, and the rest is checked.
    """
    from bench.doctor.run import every_suite, examine, report
    from bench.suite import Suite

    diagnoses = [examine(each, quick, rescore) for each in ([Suite(suite)] if suite else every_suite())]
    for diagnosis in diagnoses:
        print(*report(diagnosis), sep="\n")
    raise typer.Exit(1 if any(diagnosis.contradictions for diagnosis in diagnoses) else 0)


@app.command()
@plain_errors
def diff(
    old: Annotated[str | None, typer.Argument(help="A git revision. Default: where HEAD left the main branch.")] = None,
    new: Annotated[str | None, typer.Argument(help="A git revision. Default: the workspace.")] = None,
    suite: Annotated[list[str] | None, typer.Option(help=SUITE_HELP + " Default: every suite.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Unchanged rows, all measures, and rows by source.")] = False,
    details: Annotated[bool, typer.Option("--details", help="Ids of queries won and lost, all label changes.")] = False,
    fail_on: Annotated[
        list[str] | None, typer.Option(metavar="RULE", help="[SYSTEM/][MODALITY.]MEASURE:CHANGE, as recall@10:-0.02.")
    ] = None,
    rescore: Annotated[bool, typer.Option("--rescore", help="Either frozen run under either side's labels.")] = False,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write JSON; - is stdout.")] = None,
    md: Annotated[str | None, typer.Option(metavar="FILE", help="Write a pull-request comment; - is stdout.")] = None,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write one self-contained page.")] = None,
    measure: Annotated[str, typer.Option(help="The measure of the sentence on top and of the flips.")] = "recall@10",
) -> None:
    """Show what changed between two states, out of how many, and why: system, labels or data.

    Exit 0: fine. 1: a --fail-on rule or acceptance threshold failed. 2: cannot compare.
    """
    from bench.diff.compare import Options
    from bench.diff.gates import parse_rule
    from bench.diff.run import compare_suites, show_and_write
    from bench.diff.words import worst

    rules = [parse_rule(rule) for rule in fail_on or []]
    comparisons = compare_suites(old, new, suite or [], Options(measure, every, rescore, rules))
    show_and_write(comparisons, {"json": json, "md": md, "html": html}, every, details)
    raise typer.Exit(worst(comparisons))


@app.command()
@plain_errors
def agreement(
    votes: Annotated[Path | None, typer.Argument(help="A votes file, .jsonl or .csv.", show_default=False)] = None,
    categories: Annotated[str, typer.Option(metavar="A,B,C", help="All labels that may be given.")] = "",
    ordinal: Annotated[bool, typer.Option("--ordinal", help="The categories stand in order, lowest first.")] = False,
    critical: Annotated[bool, typer.Option("--critical", help="Of a critical domain: more votes an item.")] = False,
    benchmark: Annotated[bool, typer.Option("--benchmark", help="For a benchmark set: a higher bar.")] = False,
    gold: Annotated[
        Path | None, typer.Option(help="Write the majority's labels here, and FILE.adjudicate.jsonl beside.")
    ] = None,
    items: Annotated[Path | None, typer.Option(help="Write the agreement on each item here, as JSON Lines.")] = None,
    metrics: Annotated[Path | None, typer.Option(help="Write the report here, as a DVC metric.")] = None,
    gate: Annotated[bool, typer.Option("--gate/--no-gate", help="Exit by the outcome, or 0 whatever it is.")] = True,
    upstream: Annotated[bool, typer.Option("--upstream", help="Report the votes that the sources publish.")] = False,
    suite: SuiteDirectory = STARTER,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Measure how far annotators agree, judge it, and take gold from their votes; see docs/agreement.md.

    Exit 0: accepted. 1: rejected, label anew. 2: undetermined, for a person; or the votes cannot be read.
    """
    from bench.agreement import run, show
    from bench.agreement.declare import Declaration
    from bench.suite import Suite

    if upstream == (votes is not None):
        raise typer.BadParameter("name a votes file, or --upstream, and not both")
    if votes is None:
        show.show_upstream(run.upstream(Suite(suite)), json)
        return
    stated = Declaration([name.strip() for name in categories.split(",") if name.strip()], ordinal, critical, benchmark)
    outcome = run.agreement(votes, stated, Suite(suite), run.Outputs(gold, items, metrics))
    show.show(outcome, json)
    raise typer.Exit(run.EXIT_CODES[outcome.verdict.outcome] if gate else 0)
