"""`tdtsql score`: numbers of the loaded runs."""

from typing import TYPE_CHECKING

import click

from tdtsql.cli.options import (
    runs_argument,
    condition_option,
    StoreOption,
    blind_option,
    format_option,
    metric_option,
    profile_option,
    signature_option,
    signatures_are_wanted,
    store_options,
    subset_option,
)
from tdtsql.cli.output import print_relation, print_rows, print_table, say
from tdtsql.cli.progress import progress_bar
from tdtsql.report.tables import PEOPLE
from tdtsql.task import WEIGHTINGS

if TYPE_CHECKING:
    from tdtsql.report.results import RunTable

#: what people look for first in rows of scores, and what a narrow terminal shows in any case
LONG = "run_id subset metric weighting value n condition_id profile_id task version".split()
TOPIC = "run_id block_id subset metric value condition_id profile_id task version".split()


@click.command("score")
@runs_argument
@metric_option
@subset_option
@profile_option
@condition_option
@click.option(
    "--weighting",
    multiple=True,
    type=click.Choice(WEIGHTINGS),
    help="Only this weighting; repeatable. Of items: topic is the mean over items, topic_all over all items (missing "
    "ones count as 0), story over samples.",
)
@click.option("--wide", "shape", flag_value="wide", help="Runs x metrics: the default of table, markdown and latex.")
@click.option("--long", "shape", flag_value="long", help="Rows as stored: the default of csv, tsv and json.")
@click.option("--percent", is_flag=True, help="Runs x metrics: rates and costs times 100.")
@click.option("--interval", is_flag=True, help="Runs x metrics: 95 % bootstrap intervals of the values.")
@click.option("-q", "--per-topic", is_flag=True, help="Numbers of each topic (event, block) instead of the run's.")
@click.option("--curve", is_flag=True, help="Points of the DET curve instead; needs one RUN.")
@click.option("--all-points", is_flag=True, help="With --curve: a point for every distinct score.")
@click.option("--distributions", is_flag=True, help="Fitted score distributions and thresholds of each topic instead.")
@store_options
@blind_option
@signature_option
@format_option
def command(
    runs,
    shape,
    percent,
    interval,
    per_topic,
    curve,
    all_points,
    distributions,
    blind,
    opened: StoreOption,
    format_,
    **chosen,
) -> None:
    """Print a table of RUN... (default: all runs) x metrics per condition and profile; first compute what is missing.

    Without options: the summary metrics of the task, subset all, the primary weighting; the best value is bold. --long
    prints the stored rows, with every subset and weighting. Metrics are found by their usual names (minDCF, EER,
    T11F). Some are computed on request only: --metric eer for tracking, new event, link and filtering, --metric
    b3_ext_f1 for runs with more than 10^8 pairs of stories.
    """
    if curve and len(runs) != 1:
        raise click.UsageError("--curve needs one RUN.")
    is_wide = (shape or ("wide" if format_ in PEOPLE else "long")) == "wide" and not (per_topic or curve)
    if (percent or interval or shape == "wide") and not is_wide:
        is_wide = shape is None and not (per_topic or curve)
        if not is_wide:
            raise click.UsageError("--wide, --percent and --interval belong to the table of runs x metrics.")
    with opened.current(blind=blind) as store, progress_bar() as progress:
        if curve or distributions:
            _other(store, runs, chosen, curve, all_points, format_, progress)
            return
        given = {name: names or None for name, names in chosen.items()}
        found = store.score(runs or None, per_topic=per_topic, progress=progress, **given)
        if is_wide:
            table = found.pivot(percent=percent, interval=interval)
            if format_ in PEOPLE:
                print_runs(table, format_)
            else:
                print_rows(table.columns, table.fetchall(), format_)
        elif format_ in ("markdown", "latex") and not signatures_are_wanted():
            for part in found.tables():
                print_table(part, format_)
        else:
            columns = TOPIC if per_topic else LONG
            if format_ in PEOPLE:
                found = found.project(", ".join((*columns, "signature")))
            print_rows(found.columns, found.fetchall(), format_, keep=columns[:5])
        _fail_without_package(store, runs)
        if store.engine.read_only:
            _fail_where_missing(store, runs, chosen)


def _fail_without_package(store, runs) -> None:
    """End with 1 where runs are of a task whose package is not installed: their numbers are shown, not computed."""
    from tdtsql.store.packages import missing_packages

    if found := missing_packages(store.engine, runs):
        for line in found:
            say(line, err=True)
        raise SystemExit(1)


def _fail_where_missing(store, runs, chosen) -> None:
    """End with 1 where numbers are computed on request, and the store cannot be written to."""
    from tdtsql.scoring.score import not_computed
    from tdtsql.store.registry import run_numbers

    numbers = [number for run in runs for number in run_numbers(store.engine, run, None)] if runs else None
    missing = [
        row
        for row in not_computed(store.engine, tuple(map(store.metric_id, chosen["metric"])), numbers)
        if all(not chosen[name] or row[at] in chosen[name] for at, name in ((2, "condition"), (3, "profile")))
    ]
    if missing:
        say(
            f"{len(missing)} of these numbers are computed on request, and the store cannot be written to now "
            "(another process has it open, or the file is read-only). Missing:",
            err=True,
        )
        for name, run, where, under in missing:
            say(f"    {name} of {run} in {where} under {under}", err=True)
        raise SystemExit(1)


def print_runs(table: "RunTable", format_: str) -> None:
    """Print runs x metrics for people, a table per condition and profile."""
    parts = table.tables()
    for number, part in enumerate(parts):
        if number:
            click.echo()
        print_table(part, format_, keep=part.columns)
    if not parts:
        say(
            "No number under these names. `tdtsql run list` shows the runs, `tdtsql score --long` all numbers.",
            err=True,
        )
    for note in table.notes if format_ == "table" else ():
        say(note, err=True)
    if signatures_are_wanted():
        begin = "% " if format_ == "latex" else ""
        for (condition, profile, run, subset, metric), signature in table.signatures.items():
            say(f"{begin}{condition} {profile} {run} {subset} {metric}: {signature}")


def _other(store, runs, chosen, curve, all_points, format_, progress) -> None:
    """Print points of a curve, or (until the next release) fitted score distributions."""
    condition, profile, subset, weighting = (
        next(iter(chosen[name]), None) for name in ("condition", "profile", "subset", "weighting")
    )
    if curve:
        store.refresh(progress, runs=runs, condition=condition)
        found = store.det_curve(
            runs[0],
            weighting=weighting,
            condition=condition,
            profile=profile,
            subset=subset or "all",
            all_points=all_points,
        )
        print_relation(found, format_, keep=("threshold", "p_miss", "p_fa"))
        return
    found = store.score_distributions(runs or None)
    if store.engine.read_only:
        say("The store is read-only: distributions that were not fitted before are missing.", err=True)
    rows = [row for row in found.fetchall() if condition in (None, row[2]) and profile in (None, row[3])]
    print_rows(found.columns, rows, format_)
