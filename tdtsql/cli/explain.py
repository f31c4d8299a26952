"""`tdtsql explain`: one number, down to the files."""

from pathlib import Path

import click

from tdtsql.cli.ask import warn_of_state
from tdtsql.cli.options import run_argument, StoreOption, place_options, store_options
from tdtsql.cli.output import say


@click.command("explain")
@run_argument
@click.argument("metric")
@click.argument("block", required=False)
@place_options
@click.option(
    "--source-dir",
    "files",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The bundle's folder, for the lines of the run's files; without it the current folder, the store's, and "
    "where it was loaded from.",
)
@store_options
def command(run_id, metric, block, opened: StoreOption, **chosen) -> None:
    """Explain METRIC of RUN (of topic BLOCK): the views that compute it, with their values, down to the input files;
    for a topic, to their lines.
    """
    from tdtsql.audit.explain import explain

    with opened.inspect() as store:
        warn_of_state(store)
        explanation = explain(store.engine, run_id, store.metric_id(metric), block, **chosen)
    say(explanation.text())
