"""`tdtsql leaderboard`: the runs of every condition by the primary metric of their task."""

import click

from tdtsql.cli.options import (
    condition_option,
    blind_option,
    correction_option,
    format_option,
    profile_option,
    seed_option,
    signature_option,
    store_options,
    subset_option,
)
from tdtsql.cli.output import print_parts, print_rows, print_table, say
from tdtsql.report.tables import PEOPLE


@click.command("leaderboard")
@condition_option
@profile_option
@subset_option
@click.option(
    "-q", "--per-topic", is_flag=True, help="Topics x runs instead: the primary metric of each run on each topic."
)
@click.option(
    "--groups/--no-groups",
    default=True,
    show_default=True,
    help="Significance groups: runs that share a letter do not differ significantly.",
)
@click.option(
    "--intervals/--no-intervals",
    default=True,
    show_default=True,
    help="95 % bootstrap intervals, of conditions with at least 6 topics.",
)
@correction_option
@blind_option
@click.option("--permutations", type=int, default=100_000, show_default=True, help="Of the randomisation test.")
@seed_option
@store_options
@signature_option
@format_option
def command(per_topic, groups, intervals, blind, opened, format_, **chosen) -> None:
    """Rank the runs of every condition by the primary metric of their task, best first."""
    from tdtsql.report.leaderboard import topic_matrix
    from tdtsql.report.leaderboard import leaderboard_table

    chosen |= {name: chosen[name] or None for name in ("condition", "profile", "subset")}
    intervals = intervals and not per_topic
    with opened.scored(blind=blind) as (store, progress):
        found = store.leaderboard(groups=groups and not per_topic, intervals=intervals, progress=progress, **chosen)
        matrices = [(board, topic_matrix(store.engine, board)) for board in found.boards if per_topic]
        boards = found.boards
        columns, rows = found.columns, found.fetchall()
        if format_ == "table":
            columns, rows = _for_people(columns, rows)
    if per_topic and format_ not in PEOPLE:
        print_parts([("", *matrix) for _, matrix in matrices], format_)
    elif per_topic:
        for board, matrix in matrices:
            if format_ == "table":
                say(f"{board.condition}, {board.profile}: {board.metric}")
            print_rows(*matrix, format_)
    elif format_ in ("latex", "markdown"):
        for board in boards:
            print_table(leaderboard_table(board), format_)
    else:
        by_trial = [board for board in boards if board.other_metrics and format_ == "table"]
        for board in by_trial:
            print_table(leaderboard_table(board), format_, keep=("rank", "run", "group"))
        shown = {(board.condition, board.profile) for board in by_trial}
        places = [columns.index(name) for name in ("condition_id", "profile_id")]
        rows = [row for row in rows if tuple(row[at] for at in places) not in shown]
        boards = [board for board in boards if board not in by_trial]
        if rows or not shown:
            print_rows(columns, rows, format_, keep=("run_id", "rank", "metric", "value", "group"))
        if format_ == "table":
            for note in dict.fromkeys(board.note for board in boards):
                say(note)
            for one, run in ((at, run) for at in boards for run in at.runs if run.withdrawn is not None):
                say(f"{one.condition}, {one.profile}: run {run.name} is withdrawn, not ranked: {run.withdrawn}.")


def _for_people(columns, rows):
    """Return a leaderboard with the names that are shown; withdrawn runs are reported below it."""
    of = [dict(zip(columns, row, strict=True)) for row in rows]
    kept = [name for name in columns if name not in ("withdrawn", "alias", "team")]
    kept += ["team"] if any(row["team"] for row in of) else []
    kept = [name for name in kept if name not in ("low", "high", "group") or any(row[name] is not None for row in of)]
    return kept, [[row["alias"] or row["run_id"] if name == "run_id" else row[name] for name in kept] for row in of]
