"""`tdtsql score`: numbers of the loaded runs."""

import click

from tdtsql.cli.options import format_option, store_options, signature_option
from tdtsql.engine.quoting import quoted
from tdtsql.task import metric_id


#: what tells the numbers of a run apart
KEY = ("run_id", "subset", "metric", "weighting")
#: and those of a run on its topics
BLOCK = ("run_id", "block_id", "subset", "metric")


@click.command("score")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--metric", multiple=True, help="Only this metric; repeatable.")
@click.option(
    "--subset", help="Only this subset, e.g. all or language=ENGLISH; or a product of them: codec=C01,gender=female."
)
@click.option("--profile", help="Only this scoring profile.")
@click.option("--condition", help="Only this condition.")
@click.option("--weighting", type=click.Choice(["topic", "topic_all", "story", "none"]), help="Only this weighting.")
@click.option("--per-block", is_flag=True, help="Numbers of each topic (event, block) instead of the run's.")
@click.option("--curve", is_flag=True, help="Points of the DET curve instead; needs one RUN.")
@click.option("--distributions", is_flag=True, help="Fitted score distributions and thresholds of each topic instead.")
@click.option("--all-points", is_flag=True, help="With --curve: a point for every distinct score.")
@store_options
@signature_option
@format_option
def command(
    runs: tuple[str, ...],
    metric: tuple[str, ...],
    subset: str | None,
    profile: str | None,
    condition: str | None,
    weighting: str | None,
    per_block: bool,
    curve: bool,
    distributions: bool,
    all_points: bool,
    db: str,
    trace: bool,
    format_: str,
) -> None:
    """Print the numbers of RUN... (all runs without one), bringing them up to date first.

    Every number has a signature, the recipe that made it: --signature prints it too. Extended B-CUBED of a run that
    takes over
    10^8 pairs of stories is not made unasked: --metric b3_ext_f1 makes it. Numbers of scores without decisions (eer,
    auc, cllr and
    the like) are made of verification always, of tracking, new event, link and filtering when asked for: --metric eer.
    """
    from tdtsql.cli.output import print_relation, print_rows, say
    from tdtsql.cli.progress import progress_bar
    from tdtsql.report.signing import with_signatures
    from tdtsql.audit.signature import BLOCKS
    from tdtsql.api import connect_current
    from tdtsql.scoring.score import OF_LARGE, not_computed, score_large, score_requested
    from tdtsql.scoring.subsets import make_product
    from tdtsql.store.registry import run_numbers

    if curve and len(runs) != 1:
        raise click.UsageError("--curve needs one RUN.")
    with connect_current(db, trace=trace) as store, progress_bar() as progress:
        if subset:
            subset = make_product(store.engine, subset, condition)
        store.refresh(progress, runs=runs, condition=condition)
        if curve:
            found = store.det_curve(
                runs[0],
                weighting=weighting,
                condition=condition,
                profile=profile,
                subset=subset or "all",
                all_points=all_points,
            )
            where = condition or store.engine.value(
                "select condition.condition_id from registry.run as run join registry.condition as condition "
                "on condition.condition_no = run.condition_no where run.run_id = ?",
                [runs[0]],
            )
            print_rows(
                *with_signatures(
                    store.engine,
                    "curve",
                    found.columns,
                    found.fetchall(),
                    condition_id=where,
                    all_points=int(all_points),
                ),
                format_,
            )
            return
        metric = tuple(map(metric_id, metric))
        for column, names in (
            ("run_id", runs),
            ("metric", metric),
            ("subset", (subset,)),
            ("profile_id", (profile,)),
            ("condition_id", (condition,)),
        ):
            for name in names:
                store.check_name(column, name)
        if any(name.startswith(OF_LARGE) for name in metric):
            score_large(
                store.engine,
                [number for run in runs for number in run_numbers(store.engine, run, condition)] if runs else None,
                progress,
            )
        if metric:
            score_requested(
                store.engine,
                metric,
                [number for run in runs for number in run_numbers(store.engine, run, condition)] if runs else None,
                progress,
            )
        wanted = {
            "run_id": runs,
            "metric": metric,
            "subset": (subset,),
            "profile_id": (profile,),
            "condition_id": (condition,),
        }
        if distributions:
            for run in runs or (None,):
                store.distributions(run)
            if store.engine.read_only:
                say("The store cannot be written to: distributions that were not fitted before are not here.", err=True)
            wanted = {"run_id": runs, "profile_id": (profile,), "condition_id": (condition,)}
        elif not per_block:
            wanted["weighting"] = (weighting,)
        filters = " and ".join(
            f"{column} in ({', '.join(quoted(name) for name in names if name)})"
            for column, names in wanted.items()
            if any(names)
        )
        relation = BLOCKS if per_block else "report.score"
        order = "condition_id, run_id, profile_id, subset, metric" + (", block_id" if per_block else ", weighting")
        if distributions:
            relation, order = (
                "report.score_distribution",
                "condition_id, run_id, profile_id, block_id nulls first, prior",
            )
        chosen = "*"
        if (
            format_ == "table" and not distributions
        ):  # what a person looks for comes first; the other formats have the columns as the view has them
            chosen = ", ".join(
                [
                    *(BLOCK if per_block else KEY),
                    "value",
                    *(() if per_block else ("n",)),
                    "condition_id",
                    "profile_id",
                    "task",
                    "version",
                    "signature",
                ]
            )
        found = store.relation(f"select {chosen} from {relation} where {filters or 'true'} order by {order}")
        if distributions:
            print_rows(*with_signatures(store.engine, "score_distribution", found.columns, found.fetchall()), format_)
        else:
            print_relation(found, format_, keep=(*(BLOCK if per_block else KEY), "value"))
        if store.engine.read_only:
            missing = [
                row
                for row in not_computed(
                    store.engine,
                    metric,
                    [number for run in runs for number in run_numbers(store.engine, run, condition)] if runs else None,
                )
                if row[2] == (condition or row[2]) and row[3] == (profile or row[3])
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
