"""`tdtsql report`: the HTML report."""

from functools import partial
from pathlib import Path

import click

from tdtsql.cli.options import ANY_PATH, StoreOption, blind_option, seed_option, store_options
from tdtsql.cli.output import counted, say


@click.group("report")
def command() -> None:
    """Write the HTML report."""


@command.command("make")
@click.argument("out", required=False, type=ANY_PATH, metavar="[OUT.html]")
@click.option("-o", "--output", type=ANY_PATH, help="File to write (default report.html).")
@click.option("--title", help="Headline of the report (default: the store's name).")
@click.option("--permutations", type=int, default=100_000, show_default=True, help="Of the comparisons.")
@seed_option
@click.option(
    "--resamples",
    "draws",
    type=click.IntRange(min=0),
    help="Bootstrap resamples for intervals of scored trials in subsets; 0: no intervals (default 200, and 0 where "
    "trials times runs exceed 500,000).",
)
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN",
    help="A report for one team: this run (repeatable), the others without names.",
)
@blind_option
@click.option("--each", is_flag=True, help="A report per run; OUT is their folder (default reports).")
@store_options
def make_command(out, output, permutations, seed, runs, blind, each, opened: StoreOption, **chosen) -> None:
    """Write leaderboards, curves, topics and comparisons as one self-contained HTML file; it needs no network."""
    from tdtsql.compare.settings import Method
    from tdtsql.report.write import write_report, write_team_reports

    if each and runs:
        raise click.UsageError("--run writes one report, --each one per run: choose one of them.")
    if blind and (each or runs):
        raise click.UsageError("--blind writes a report without names: leave out --run and --each.")
    path = output or out or Path("reports" if each else "report.html")
    chosen |= {"method": Method(n_permutation=permutations, seed=seed), "tell": partial(say, err=True)}
    with opened.scored(blind=blind) as (store, progress):
        if each:
            written = write_team_reports(store.engine, path, progress=progress, **chosen)
            said = f"Wrote {counted(len(written), 'report')} to {path}, one per run."
        else:
            size = write_report(store.engine, path, runs=runs, progress=progress, **chosen)
            said = f"Wrote {path} ({size / 1e6:.1f} MB)."
    say(said, err=True)
