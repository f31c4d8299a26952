"""`tdtsql compare`: runs against each other, topics as the unit."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import click

from tdtsql.cli.options import (
    StoreOption,
    format_option,
    method_options,
    missing_option,
    setting_options,
    signature_option,
    signatures_are_wanted,
    store_options,
)
from tdtsql.cli.output import print_rows, print_table, say
from tdtsql.progress import counting

#: columns that a narrow terminal shows in any case
KEPT = ("run", "against", "difference", "95 % interval", "w/t/l", "p")


@contextmanager
def compared_runs(
    opened: StoreOption, runs: Sequence[str], *, metric: str | None, is_by_topic: bool = True, **chosen: Any
) -> Iterator[tuple]:
    """Yield the store with current numbers, the compared runs, and the progress callback.

    Args:
        runs: names; empty: all runs, of the condition if one is chosen.
        chosen: subset, profile and condition.
    """
    from tdtsql.compare.settings import choose

    with opened.scored() as (store, progress):
        if not runs:
            found = store.runs().project("run_id, condition_id").fetchall()
            runs = [run for run, condition in found if chosen["condition"] in (None, condition)]
        setting = choose(
            store.engine,
            list(dict.fromkeys(runs)),
            metric=store.metric_id(metric) if metric else None,
            is_by_topic=is_by_topic,
            **chosen,
        )
        yield store, setting, progress


@click.command("compare")
@click.argument("runs", nargs=-1, required=True, metavar="RUN_A RUN_B...")
@setting_options
@click.option("--baseline", multiple=True, help="Run to compare with (default: the first run); repeatable.")
@click.option("--all-pairs", is_flag=True, help="Every run with every other.")
@click.option(
    "-q", "--per-topic", is_flag=True, help="The topics of RUN_B against RUN_A instead, largest difference first."
)
@method_options
@missing_option("error")
@store_options
@signature_option
@format_option
def command(runs, baseline, all_pairs, per_topic, missing, requested, opened, format_, **chosen) -> None:
    """Compare runs topic by topic (item by item, or by cluster), or on the same scored trials: difference with
    interval, win/tie/loss, p values.

    A run is named RUN, or CONDITION/RUN where several conditions have it. In LaTeX and markdown the caption names the
    test; csv, tsv and json have every column.
    """
    from tdtsql.compare.words import compare_runs
    from tdtsql.report.comparison import comparison_table, records
    from tdtsql.report import variants

    if all_pairs and per_topic:
        raise click.UsageError("choose one of --all-pairs and --per-topic.")
    if per_topic and len(runs) != 2:
        raise click.UsageError("--per-topic needs exactly two runs.")
    every, is_by_topic = (*runs, *baseline), requested.is_by_topic or per_topic
    named = compared_runs(opened, every, is_by_topic=is_by_topic, **chosen)
    with named as (store, setting, progress):
        if per_topic:
            print_rows(*variants.topic_rows(store.engine, setting, runs, missing), format_)
            return
        total = requested.n_draw + (0 if setting.is_by_trial else requested.n_permutation)
        made = compare_runs(
            store.engine,
            setting,
            baselines=baseline,
            every_pair=all_pairs,
            missing=missing,
            method=requested,
            step=counting(progress, total, "comparing"),
        )
    table = comparison_table(made)
    if format_ == "table":
        print_table(replace(table, caption=""), format_, keep=KEPT)
        where = f"{setting.metric} on {setting.condition}, subset {setting.subset}, profile {setting.profile}"
        say(f"{where}: {made.method_in_words()}")
        for note in made.notes():
            say(note)
        if signatures_are_wanted():
            say(made.signature)
    elif format_ in ("latex", "markdown"):
        print_table(table, format_)
    else:
        rows = records(made)
        print_rows(tuple(rows[0]), [list(row.values()) for row in rows], format_)
