"""`tdtsql stats`: statistics of several runs: ranks, reproduction, DET curves, subsets."""

import click

from tdtsql.cli.compare import compared_runs, print_signed
from tdtsql.cli.options import (
    runs_argument,
    format_option,
    level_option,
    missing_option,
    seed_option,
    setting_options,
    signature_option,
    store_options,
)
from tdtsql.cli.output import print_relation, print_table, say
from tdtsql.cli.progress import progress_bar
from tdtsql.progress import counting


@click.group("stats")
def command() -> None:
    """Stability of ranks, reproduction of a run, differences of DET curves, intervals in subsets."""


resamples_option = click.option("--resamples", type=int, default=10_000, show_default=True, help="How many are drawn.")


@command.command("ranks")
@runs_argument
@setting_options
@missing_option("error")
@resamples_option
@level_option
@seed_option
@store_options
@signature_option
@format_option
def ranks_command(runs, opened, format_, missing, resamples, level, seed, **chosen) -> None:
    """Print how stable the ranking of RUN... (default: all runs) is under other samples of topics."""
    from tdtsql.report import variants

    asked = {"missing": missing, "resamples": resamples, "level": level, "seed": seed}
    with compared_runs(opened, runs, **chosen) as (store, setting, _):
        table, made = variants.rank_rows(store.engine, setting, list(setting.runs), asked)
        print_signed(store.engine, setting, list(setting.runs), format_, "ranks", table, **asked)
    if format_ == "table":
        say(
            f"Kendall's tau of the ranking with one on other topics: mean {made.mean_tau:.3f}, "
            f"{(1 - level) / 2:.1%} below {made.low_tau:.3f}; {made.n_resample:,} resamples of topics, seed "
            f"{seed}"
            if made.n_resample
            else "One topic: every resample of topics is itself, so the stability of the ranking is unknown."
        )


@command.command("reproduce")
@click.argument("runs", nargs=-1, required=True, metavar="RUN_A RUN_B [BASELINE_A BASELINE_B]")
@setting_options
@missing_option("error")
@store_options
@signature_option
@format_option
def reproduce_command(runs, opened, format_, missing, **chosen) -> None:
    """Print how well RUN_B reproduces RUN_A."""
    from tdtsql.report import variants

    if len(runs) not in (2, 4):
        raise click.UsageError("reproduce needs two runs, or four: both, and the baseline of each.")
    with compared_runs(opened, runs, **chosen) as (store, setting, _):
        table = variants.reproduction_rows(store.engine, setting, runs, {"missing": missing})
        print_signed(store.engine, setting, runs, format_, "reproduction", table, missing=missing)


@command.command("det")
@click.argument("run_a", metavar="RUN_A")
@click.argument("run_b", metavar="RUN_B")
@setting_options
@click.option(
    "--weighting", type=click.Choice(["topic", "story"]), default="topic", show_default=True, help="Of the curves."
)
@resamples_option
@level_option
@seed_option
@store_options
@signature_option
@format_option
def det_command(run_a, run_b, opened, format_, weighting, resamples, level, seed, **chosen) -> None:
    """Print the miss rate of RUN_B minus that of RUN_A at fixed false-alarm rates, with confidence bands."""
    from tdtsql.report import comparing, variants

    asked = {"weighting": weighting, "resamples": resamples, "level": level, "seed": seed}
    with compared_runs(opened, (run_a, run_b), **chosen) as (store, setting, progress):
        step = counting(progress, resamples, "resampling topics")
        table = variants.det_rows(store.engine, setting, (run_a, run_b), asked, step)
        print_signed(store.engine, setting, (run_a, run_b), format_, "det", table, **asked)
        note = comparing.det_rule_note(store.engine, setting)
    if format_ == "table":
        drawn, n_threshold, n_kept = table[1][0][-3:]
        at = f"at {n_kept:,} of {n_threshold:,} thresholds" if n_kept < n_threshold else "at every threshold"
        bands = (
            f"{level:.0%} bands, pointwise and for the whole curve, {drawn:,} resamples of topics, seed {seed}, {at}"
            if drawn
            else "no bands: every resample of one topic is itself"
        )
        say(f"p_miss of {run_b} minus {run_a}, {weighting}-weighted, exact; {bands}")
        if note:
            say(note)


@command.command("subsets")
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@click.option("--condition", help="The condition; optional where only one has a key of trials.")
@click.option("-p", "--profile", help="The scoring profile (default: the condition's first).")
@click.option(
    "-m",
    "--metric",
    default="eer",
    show_default=True,
    help="eer, auc, min_c_det_norm, act_c_det_norm, act_p_miss, act_p_fa or cllr.",
)
@click.option(
    "--by",
    metavar="ATTRIBUTE",
    help="Only the subsets of this attribute of the key, as attack or codec; attack,codec: both, crossed.",
)
@click.option(
    "--unit",
    default="trial",
    show_default=True,
    help="Resampling unit: trial, block, enrolled, or an attribute of the key, as speaker: its trials together.",
)
@level_option
@click.option("--resamples", type=int, help="How many are drawn (default: 1,000; of two attributes 0).")
@seed_option
@store_options
@format_option
def subsets_command(runs, metric, by, opened, format_, **chosen) -> None:
    """Print a metric of scored trials of RUN... (default: all runs) in every subset, with bootstrap intervals."""
    with opened.current() as store, progress_bar() as progress:
        table = store.subset_table(*runs, metric=store.metric_id(metric), by=by, progress=progress, **chosen)
        if format_ in ("markdown", "latex") or format_ == "table" and by is not None and "," in by:
            for part in table.tables():
                print_table(part, format_)
        else:
            print_relation(table.relation, format_, keep=("subset", "run_id", "value", "low", "high"))
