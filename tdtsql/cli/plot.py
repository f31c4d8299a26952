"""`tdtsql plot`: DET curves and hierarchies as files."""

import click

from tdtsql.cli.options import runs_argument, ANY_PATH, StoreOption, format_option, store_options, with_options
from tdtsql.cli.output import print_rows, say


@click.group("plot")
def command() -> None:
    """Draw DET curves or a hierarchy into a file."""


def _output(metavar: str):
    return click.option("-o", "--output", "out", required=True, type=ANY_PATH, metavar=metavar, help="File to write.")


@command.command("det")
@runs_argument
@_output("FILE.svg|FILE.pdf")
@click.option("--condition", required=True, help="The condition whose curves are drawn.")
@click.option("-p", "--profile", help="The scoring profile (default: the condition's first).")
@click.option(
    "--weighting",
    type=click.Choice(["topic", "story"]),
    help="Mean over topics (default), or pooled over stories (default of scored trials).",
)
@click.option("--subset", multiple=True, help="A subset, e.g. language=ENGLISH (default: all); repeatable.")
@click.option("--by", metavar="ATTRIBUTE", help="A curve for each value of an attribute of the key, as codec.")
@click.option("--hull", "with_hull", is_flag=True, help="The convex hull of each curve too.")
@click.option(
    "--points/--no-points", "with_points", default=True, help="Mark the minimum cost and the system's own decisions."
)
@store_options
def det_command(runs, out, condition, profile, subset, opened: StoreOption, **chosen) -> None:
    """Draw the DET curves of RUN... (default: all runs) as SVG or PDF, bitwise reproducible; needs the extra `plot`."""
    from tdtsql.report.write import DetPlot, write_det

    with opened.scored() as (store, _):
        for column, names in (("run_id", runs), ("condition_id", [condition]), ("subset", subset)):
            for name in names:
                store.check_name(column, name)
        profile = profile or store.engine.value(
            "select profile_id from registry.condition_profile join registry.condition using (condition_no) "
            "join registry.profile using (profile_no) where condition_id = ? order by profile_no limit 1",
            [condition],
        )
        store.check_name("profile_id", profile)
        size = write_det(store.engine, out, runs, DetPlot(condition, profile, subset=subset or "all", **chosen))
    say(f"Wrote {out} ({size / 1000:.0f} kB).", err=True)


#: what names a run of hierarchies and a topic
_of_hierarchy = with_options(
    click.argument("run"),
    click.argument("topic"),
    click.option("--condition", required=True, help="The condition of the run."),
    click.option("-p", "--profile", default="tdt2004", show_default=True, help="The scoring profile."),
)


@command.command("hierarchy")
@_of_hierarchy
@_output("FILE.svg")
@click.option(
    "--limit", type=click.IntRange(min=1), default=30, show_default=True, help="Maximum number of vertices drawn."
)
@store_options
def hierarchy_command(out, opened: StoreOption, **chosen) -> None:
    """Draw the hierarchy of RUN around the best vertex of TOPIC as an indented tree."""
    from tdtsql.report.write import write_hierarchy

    with opened.scored() as (store, _):
        size = write_hierarchy(store.engine, out, **chosen)
    say(f"Wrote {out} ({size / 1000:.0f} kB).", err=True)


@command.command("path")
@_of_hierarchy
@store_options
@format_option
def path_command(opened: StoreOption, format_, **chosen) -> None:
    """Print the cheapest path of RUN from the root of its hierarchy to the best vertex of TOPIC.

    One row per vertex: its children, travel cost so far, number of parents (the path comes through the cheapest),
    stories in it and below, those on the topic, and its cost for the topic.
    """
    from tdtsql.report.curves import PATH_COLUMNS, topic_path

    with opened.scored() as (store, _):
        rows = topic_path(store.engine, **chosen)
    print_rows(PATH_COLUMNS, rows, format_)
