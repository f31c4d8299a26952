"""`tdtsql stats`: statistics of several runs: stability of ranks, subsets."""

import click

from tdtsql.cli.compare import compared_runs
from tdtsql.cli.options import (
    runs_argument,
    format_option,
    level_option,
    missing_option,
    seed_option,
    setting_options,
    store_options,
)
from tdtsql.cli.output import print_relation, print_rows, print_table, say
from tdtsql.cli.progress import progress_bar


@click.group("stats")
def command() -> None:
    """Stability of ranks, and intervals in subsets."""


@command.command("ranks")
@runs_argument
@setting_options
@missing_option("error")
@click.option("--resamples", type=int, default=10_000, show_default=True, help="How many are drawn.")
@level_option
@seed_option
@store_options
@format_option
def ranks_command(runs, opened, format_, missing, resamples, level, seed, **chosen) -> None:
    """Print how stable the ranking of RUN... (default: all runs) is under other samples of topics."""
    from tdtsql.compare.settings import Method
    from tdtsql.report import variants

    method = Method(n_resample=resamples, level=level, seed=seed)
    with compared_runs(opened, runs, **chosen) as (store, setting, _):
        table, made = variants.rank_rows(store.engine, setting, method, missing)
        print_rows(*table, format_)
    if format_ == "table":
        say(
            f"Kendall's tau of the ranking with one on other topics: mean {made.mean_tau:.3f}, "
            f"{(1 - level) / 2:.1%} below {made.low_tau:.3f}; {made.n_resample:,} resamples of topics, seed "
            f"{seed}"
            if made.n_resample
            else "One topic: every resample of topics is itself, so the stability of the ranking is unknown."
        )


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
