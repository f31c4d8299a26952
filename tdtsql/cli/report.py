"""`tdtsql report`: the page, the leaderboard, drawings of curves."""

from pathlib import Path

import click

from tdtsql.cli.options import format_option, store_options, signature_option
from tdtsql.cli.output import counted, say


@click.group("report")
def command() -> None:
    """The HTML report, the leaderboard, and DET curves as drawings."""


@command.command("make")
@click.argument("out", required=False, type=click.Path(path_type=Path), metavar="[OUT.html]")
@click.option("--title", help="Headline of the page; the store's name without it.")
@click.option("--permutations", type=int, default=100_000, show_default=True, help="Of the comparisons on the page.")
@click.option("--seed", type=int, default=20040, show_default=True, help="The same seed gives the same bits.")
@click.option(
    "--draws",
    type=click.IntRange(min=0),
    help="Of the intervals of scored trials in subsets; 0: none. Without it 200, and none where trials times runs are "
    "above 500,000.",
)
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN",
    help="A page for one team: this run (and others of the team), the rest without names.",
)
@click.option("--each", is_flag=True, help="A page for every run; OUT is the folder for them (default: reports).")
@store_options
def make_command(
    out: Path | None,
    title: str | None,
    permutations: int,
    seed: int,
    draws: int | None,
    runs: tuple[str, ...],
    each: bool,
    db: str,
    trace: bool,
) -> None:
    """Write one self-contained HTML page with everything that the store's numbers show.

    The page needs no network; charts, tables, signatures and SQL are inside.
    """
    from tdtsql.cli.progress import progress_bar
    from tdtsql.compare.paired import Method
    from tdtsql.report.write import write_report, write_team_reports
    from tdtsql.api import connect_current

    if each and runs:
        raise click.UsageError("--run makes one page, --each one for every run: give one of them.")
    method = Method(n_permutation=permutations, seed=seed)
    with connect_current(db, trace=trace) as store, progress_bar() as progress:
        store.refresh(progress)
        if each:
            folder = out or Path("reports")
            written = write_team_reports(
                store.engine, folder, title=title, method=method, progress=progress, draws=draws, tell=_tell
            )
        else:
            page = out or Path("report.html")
            size = write_report(
                store.engine, page, title=title, method=method, progress=progress, runs=runs, draws=draws, tell=_tell
            )
    say(
        f"{folder}: {counted(len(written), 'page')}, one a run." if each else f"{page} is ready, {size / 1e6:.1f} MB.",
        err=True,
    )


def _tell(sentence: str) -> None:
    say(sentence, err=True)


@command.command("subsets")
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@click.option("--condition", help="The condition; it may be left out where one has a key of trials.")
@click.option("--profile", help="The scoring profile; the condition's first without it.")
@click.option(
    "--metric",
    default="eer",
    show_default=True,
    help="eer, auc, min_c_det_norm, act_c_det_norm, act_p_miss, act_p_fa or cllr.",
)
@click.option("--by", metavar="ATTRIBUTE", help="Only the subsets of this attribute of the key, as attack or codec.")
@click.option(
    "--unit",
    default="trial",
    show_default=True,
    help="What is drawn: trial, block, enrolled, or an attribute of the key, as speaker: its trials together.",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Of the intervals.")
@click.option("--resamples", type=int, default=1000, show_default=True, help="How often trials are drawn.")
@click.option("--seed", type=int, default=20040, show_default=True, help="The same seed gives the same bits.")
@store_options
@format_option
def subsets_command(
    runs: tuple[str, ...],
    condition: str | None,
    profile: str | None,
    metric: str,
    by: str | None,
    unit: str,
    level: float,
    resamples: int,
    seed: int,
    db: str,
    trace: bool,
    format_: str,
) -> None:
    """Print a number of scored trials of RUNs (all without names) in every subset, with bootstrap intervals."""
    from tdtsql.api import connect_current
    from tdtsql.cli.output import print_relation
    from tdtsql.cli.progress import progress_bar

    with connect_current(db, trace=trace) as store, progress_bar() as progress:
        table = store.subset_table(
            *runs,
            condition=condition,
            profile=profile,
            metric=metric,
            by=by,
            unit=unit,
            level=level,
            resamples=resamples,
            seed=seed,
            progress=progress,
        )
        if format_ in ("markdown", "latex"):
            say((table.to_markdown() if format_ == "markdown" else table.to_latex()).rstrip("\n"))
        else:
            print_relation(table.relation, format_)


@command.command("leaderboard")
@click.option("--condition", help="Only this condition.")
@click.option("--profile", help="Only this scoring profile.")
@click.option(
    "--per-topic",
    is_flag=True,
    help="The matrix of topics and runs instead: the primary metric of each run on each topic.",
)
@click.option(
    "--groups/--no-groups",
    default=True,
    show_default=True,
    help="Significance groups: runs that share a letter do not differ.",
)
@click.option(
    "--correction",
    type=click.Choice(["holm", "bh", "bonferroni", "max-t", "none"]),
    default="holm",
    show_default=True,
    help="How p values allow for several pairs of runs.",
)
@click.option("--permutations", type=int, default=100_000, show_default=True, help="Draws of the randomisation test.")
@click.option("--seed", type=int, default=20040, show_default=True, help="Seed of the draws.")
@store_options
@signature_option
@format_option
def leaderboard_command(
    condition: str | None,
    profile: str | None,
    per_topic: bool,
    groups: bool,
    correction: str,
    permutations: int,
    seed: int,
    db: str,
    trace: bool,
    format_: str,
) -> None:
    """Print the runs of every condition by the primary metric of their task, best first."""
    from dataclasses import replace

    from tdtsql.cli.output import READ_BY_PEOPLE, print_parts, print_rows
    from tdtsql.cli.progress import progress_bar
    from tdtsql.compare.paired import Method
    from tdtsql.report.signing import board_table, sign, with_signatures
    from tdtsql.report.standing import leaderboards, topic_matrix
    from tdtsql.report.tables import RankedRun, latex, leaderboard_table, markdown
    from tdtsql.api import connect_current

    method = Method(correction=correction, n_permutation=permutations, seed=seed)
    with connect_current(db, trace=trace) as store, progress_bar() as progress:
        store.refresh(progress)
        boards = leaderboards(
            store.engine,
            condition=condition,
            profile=profile,
            method=method,
            groups=groups and not per_topic,
            progress=progress,
        )
        matrices = (
            [with_signatures(store.engine, "topic_matrix", *topic_matrix(store.engine, board)) for board in boards]
            if per_topic
            else []
        )
        if not groups:
            boards = [
                replace(
                    board,
                    signature=sign(
                        store.engine,
                        "leaderboard",
                        *board_table(board),
                        condition_id=board.condition,
                        profile_id=board.profile,
                        subset=board.subset,
                    )[0],
                )
                for board in boards
            ]
    if per_topic:
        if format_ not in READ_BY_PEOPLE:
            print_parts([("", columns, rows) for columns, rows in matrices], format_)
            return
        for board, (columns, rows) in zip(boards, matrices, strict=True):
            if format_ == "table":
                say(
                    f"{board.condition}, {board.profile}: "
                    f"{board.metric}{f', {board.subset}' if board.subset != 'all' else ''}"
                )
            print_rows(columns, rows, format_)
        return
    if format_ in ("latex", "markdown"):
        write = {"latex": latex, "markdown": markdown}[format_]
        tables = [
            leaderboard_table(
                f"{board.condition}, {board.profile}{f', {board.subset}' if board.subset != 'all' else ''}",
                board.metric,
                board.best,
                [RankedRun(run.run, run.value, run.n, run.letters, run.withdrawn) for run in board.runs],
                note=board.note,
                signature=board.signature,
            )
            for board in boards
        ]
        click.echo("\n".join(write(table) for table in tables), nl=False)
        return
    columns = [
        "condition_id",
        "profile_id",
        "rank",
        "run_id",
        "metric",
        "weighting",
        "value",
        "n",
        "letters",
        "signature",
        "subset",
        "low",
        "high",
        *(["withdrawn"] if format_ != "table" else []),
    ]
    rows = [
        [
            board.condition,
            board.profile,
            run.rank,
            run.run,
            board.metric,
            board.weighting,
            run.value,
            run.n,
            run.letters,
            board.signatures[run.run],
            board.subset,
            run.low,
            run.high,
            *([run.withdrawn] if format_ != "table" else []),
        ]
        for board in boards
        for run in board.runs
    ]
    print_rows(columns, rows, format_, keep=("run_id", "metric", "value", "subset"))
    if format_ == "table":
        for note in dict.fromkeys(board.note for board in boards):
            say(note)
        for one, run in ((board, run) for board in boards for run in board.runs if run.withdrawn is not None):
            say(f"{one.condition}, {one.profile}: run {run.run} is withdrawn, not ranked: {run.withdrawn}.")


@command.command("hierarchy")
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT.svg")
@click.argument("run")
@click.argument("topic")
@click.option("--condition", required=True, help="The condition of the run.")
@click.option("--profile", default="tdt2004", show_default=True, help="The scoring profile.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=30, show_default=True, help="Most vertices that are drawn."
)
@store_options
def hierarchy_command(
    out: Path, run: str, topic: str, condition: str, profile: str, limit: int, db: str, trace: bool
) -> None:
    """Draw the hierarchy of RUN around the best vertex of TOPIC as SVG."""
    from tdtsql.report.write import write_hierarchy
    from tdtsql.api import connect_current

    with connect_current(db, trace=trace) as store:
        store.refresh()
        size = write_hierarchy(
            store.engine, out, run=run, topic=topic, condition=condition, profile=profile, limit=limit
        )
    say(f"{out} is ready, {size / 1000:.0f} kB.", err=True)


@command.command("walk")
@click.argument("run")
@click.argument("topic")
@click.option("--condition", required=True, help="The condition of the run.")
@click.option("--profile", default="tdt2004", show_default=True, help="The scoring profile.")
@store_options
@format_option
def walk_command(run: str, topic: str, condition: str, profile: str, db: str, trace: bool, format_: str) -> None:
    """Print the cheapest walk of RUN from the root of its hierarchy to the best vertex of TOPIC.

    One row a vertex: children to look over there, travel cost so far, parents it has (the walk comes through the
    cheapest), stories in it and below, those on the topic, and its cost for the topic.
    """
    from tdtsql.cli.output import print_rows
    from tdtsql.report.best_vertex import WALK, topic_walk
    from tdtsql.api import connect_current

    with connect_current(db, trace=trace) as store:
        store.refresh()
        rows = topic_walk(store.engine, run=run, topic=topic, condition=condition, profile=profile)
    print_rows(WALK, rows, format_)


@command.command("det")
@click.argument("out", type=click.Path(path_type=Path), metavar="OUT.svg|OUT.pdf")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--condition", required=True, help="The condition whose curves are drawn.")
@click.option("--profile", default="tdt2004", show_default=True, help="The scoring profile.")
@click.option(
    "--weighting",
    type=click.Choice(["topic", "story"]),
    default="topic",
    show_default=True,
    help="Mean over topics, or pooled over stories.",
)
@click.option("--subset", default="all", show_default=True, help="A subset, e.g. language=ENGLISH.")
@store_options
def det_command(
    out: Path, runs: tuple[str, ...], condition: str, profile: str, weighting: str, subset: str, db: str, trace: bool
) -> None:
    """Draw DET curves as SVG or PDF; the same curves give the same bytes. Needs the extra `plot`."""
    from tdtsql.report.write import write_det
    from tdtsql.api import connect_current

    with connect_current(db, trace=trace) as store:
        store.refresh()
        for column, names in (
            ("run_id", runs),
            ("condition_id", (condition,)),
            ("profile_id", (profile,)),
            ("subset", (subset,)),
        ):
            for name in names:
                store.check_name(column, name)
        size = write_det(
            store.engine, out, condition=condition, profile=profile, weighting=weighting, subset=subset, runs=runs
        )
    say(f"{out} is ready, {size / 1000:.0f} kB.", err=True)
