"""`tdtsql compare`: runs against each other, topics as the unit."""

import click

from tdtsql.cli.gate import old_gate_options, run_gate
from tdtsql.cli.options import (
    format_option,
    method_options,
    requested,
    signature_option,
    signatures_are_wanted,
    store_options,
)
from tdtsql.cli.output import say

#: columns of the plain table; the other formats have all
SHORT = (
    "run_id",
    "baseline_id",
    "n_topic",
    "mean",
    "difference",
    "low",
    "high",
    "win",
    "tie",
    "loss",
    "p",
    "p_adjusted",
    "mc_error",
)


@click.command("compare")
@click.argument("runs", nargs=-1, required=True, metavar="RUN_A RUN_B...")
@click.option("--metric", help="Any metric with a number per topic, or of scored trials (default: the primary metric).")
@click.option("--subset", "subsets", multiple=True, help="For example language=ENGLISH; all without it.")
@click.option("--profile", "profiles", multiple=True, help="Scoring profile, where the condition has several.")
@click.option("--condition", "conditions", multiple=True, help="Condition, where several have runs of these names.")
@click.option("--baseline", multiple=True, help="Run to compare with; repeatable. The first run without it.")
@click.option("--all-pairs", is_flag=True, help="Every run with every other.")
@method_options
@click.option(
    "--missing",
    type=click.Choice(["error", "common", "zero", "worst"]),
    help="How to handle topics missing from a run (default error).",
)
@click.option("--per-topic", is_flag=True, help="The topics of RUN_B against RUN_A instead, largest difference first.")
@click.option("--ranks", is_flag=True, help="How stable the ranking is under other topics, instead.")
@click.option("--reproduce", is_flag=True, help="How well RUN_B reproduces RUN_A, instead.")
@click.option(
    "--det", is_flag=True, help="Miss rate of RUN_B minus RUN_A at fixed false-alarm rates, with bands, instead."
)
@click.option(
    "--weighting", type=click.Choice(["topic", "story"]), default="topic", show_default=True, help="Of --det."
)
@old_gate_options
@store_options
@signature_option
@format_option
def command(
    runs,
    metric,
    subsets,
    profiles,
    conditions,
    baseline,
    all_pairs,
    test,
    correction,
    interval,
    unit,
    level,
    permutations,
    resamples,
    seed,
    missing,
    per_topic,
    ranks,
    reproduce,
    det,
    weighting,
    rules,
    alpha,
    baseline_run,
    markdown_path,
    json_path,
    junit_path,
    db,
    trace,
    format_,
) -> None:
    """Compare runs topic by topic, or on the same scored trials: difference with interval, corrected p values.

    A run is named RUN, or CONDITION/RUN where several conditions have it. As LaTeX or
    markdown the table comes with a caption that names the test and the signature.
    """
    from tdtsql.cli.output import print_rows
    from tdtsql.cli.progress import progress_bar
    from tdtsql.report import comparing, variants
    from tdtsql.report.trials import comparing as trials
    from tdtsql.report.signing import asked_of, sign, with_signatures
    from tdtsql.report.tables import comparison_table, latex, markdown
    from tdtsql.api import connect_current

    files = {"markdown": markdown_path, "json": json_path, "junit": junit_path}
    if sum((per_topic, ranks, reproduce, det, all_pairs)) > 1:
        raise click.UsageError("choose one of --all-pairs, --per-topic, --ranks, --reproduce and --det.")
    if (per_topic or det) and len(runs) != 2:
        raise click.UsageError("--per-topic and --det need exactly two runs.")
    if reproduce and len(runs) not in (2, 4):
        raise click.UsageError("--reproduce needs two runs, or four: both, and the baseline of each.")
    if rules:
        if metric or baseline or any((all_pairs, per_topic, ranks, reproduce, det)):
            raise click.UsageError(
                "--fail-if is a comparison of its own. Use `tdtsql gate NEW BASELINE --fail-if RULE`."
            )
        say(
            "`compare --fail-if` is now `tdtsql gate NEW BASELINE --fail-if RULE`; this spelling ends with 0.3.",
            err=True,
        )
    elif alpha is not None or baseline_run or any(files.values()):
        raise click.UsageError("--alpha, --baseline-run, --markdown, --json and --junit belong to `tdtsql gate`.")
    elif max(map(len, (subsets, profiles, conditions))) > 1:
        raise click.UsageError("--subset, --profile and --condition are given once here; `tdtsql gate` takes several.")
    wanted = requested(
        test=test,
        correction=correction,
        interval=interval,
        unit=unit,
        level=level,
        permutations=permutations,
        resamples=resamples,
        seed=seed,
    )
    if rules:
        run_gate(
            db,
            trace,
            format_,
            runs=runs,
            rules=rules,
            conditions=conditions,
            profiles=profiles,
            subsets=subsets,
            baseline_run=baseline_run,
            requested=wanted,
            alpha=0.05 if alpha is None else alpha,
            missing=missing or "common",
            files=files,
        )
        return
    [subset, profile, condition] = [
        next(iter(several), default) for several, default in ((subsets, "all"), (profiles, None), (conditions, None))
    ]
    missing = missing or "error"
    names = list(dict.fromkeys((*runs, *baseline)))
    with connect_current(db, trace=trace) as store, progress_bar() as progress:
        store.refresh(progress)
        engine = store.engine
        setting = comparing.choose(
            engine,
            names,
            metric=metric,
            subset=subset,
            profile=profile,
            condition=condition,
            is_by_topic=wanted.is_by_topic or per_topic or ranks or reproduce or det,
        )
        method = wanted.of(setting)
        resamples = method.n_resample

        def signed(kind: str, columns: list[str], rows: list[tuple], **asked: object) -> None:
            """Print a table; its signature stands below it, or in every row for another program."""
            asked = asked_of(setting, runs, **asked)
            if format_ == "table":
                print_rows(columns, rows, format_)
                if rows and signatures_are_wanted():
                    say(sign(store.engine, kind, columns, rows[:], **asked)[0])
            else:
                print_rows(*with_signatures(store.engine, kind, columns, rows, **asked), format_)

        if per_topic:
            signed("topics", *variants.topic_rows(engine, setting, runs[1], runs[0], missing=missing), missing=missing)
        elif ranks:
            table, made = variants.rank_rows(engine, setting, missing=missing, method=method)
            signed("ranks", *table, missing=missing, resamples=resamples, level=level, seed=seed)
            if made.n_resample:
                _note(
                    format_,
                    f"Kendall's tau of the ranking with one on other topics: mean {made.mean_tau:.3f}, "
                    f"{(1 - level) / 2:.1%} below {made.low_tau:.3f}; "
                    f"{made.n_resample:,} resamples of topics, seed {seed}",
                )
            else:
                _note(
                    format_,
                    "One topic: every resample of topics is itself, so how stable the ranking is cannot be said.",
                )
        elif reproduce:
            signed("reproduction", *variants.reproduction_rows(engine, setting, runs, missing=missing), missing=missing)
        elif det:
            total, done = resamples, 0

            def step(n: int) -> None:
                nonlocal done
                done += n
                if progress is not None:
                    progress(done, total, "drawing topics")

            table = variants.det_rows(
                engine, setting, runs[1], runs[0], weighting=weighting, method=method, progress=step
            )
            signed("det", *table, weighting=weighting, resamples=resamples, level=level, seed=seed)
            drawn, n_threshold, n_kept = table[1][0][-3:]
            _note(
                format_,
                f"p_miss of {runs[1]} minus {runs[0]}, {weighting}-weighted, exact; "
                + (
                    f"{level:.0%} bands, pointwise and for the whole curve, {drawn:,} resamples of topics, seed "
                    f"{seed}, "
                    + (f"at {n_kept:,} of {n_threshold:,} thresholds" if n_kept < n_threshold else "at every threshold")
                    if drawn
                    else "no bands: every resample of one topic is itself"
                ),
            )
            if note := comparing.det_rule_note(engine, setting):
                _note(format_, note)
        else:
            total = 0  # steps: permutations and resamples
            if setting.is_by_trial:
                total = method.resolved(setting.metric, 0).n_resample
            else:
                total += permutations * (method.test == "randomisation")
                total += resamples * (method.test == "bootstrap" or method.interval != "t")
            done = 0

            def count(n: int) -> None:
                nonlocal done
                done += n
                if progress is not None:
                    progress(min(done, total), total, "comparing")

            made = comparing.compare_runs(
                engine,
                setting,
                baselines=baseline,
                every_pair=all_pairs,
                missing=missing,
                method=method,
                progress=count,
            )
            if format_ in ("latex", "markdown"):
                click.echo({"latex": latex, "markdown": markdown}[format_](comparison_table(made)), nl=False)
                return
            rows = comparing.as_rows(made)
            columns = SHORT if format_ == "table" else tuple(rows[0])
            if setting.is_by_trial and format_ == "table":
                print_rows(trials.SHOWN, [trials.shown_row(row, made.family) for row in made.family.rows], format_)
            else:
                print_rows(
                    columns,
                    [[variants.plain(row[name]) for name in columns] for row in rows],
                    format_,
                    keep=("run_id", "baseline_id", "difference", "low", "high", "p_adjusted"),
                )
            _note(
                format_,
                f"{setting.metric} on {setting.condition}, subset {setting.subset}, profile {setting.profile}: "
                f"{comparing.method_in_words(made)}",
            )
            for note in comparing.notes(made):
                _note(format_, note)
            if signatures_are_wanted():
                _note(format_, made.signature)


def _note(format_: str, text: str) -> None:
    if format_ == "table":
        say(text)
