"""`tdtsql explain`: one number, down to the files."""

from pathlib import Path

import click

from tdtsql.cli.options import store_options
from tdtsql.cli.output import say


@click.command("explain")
@click.argument("run_id", metavar="RUN")
@click.argument("metric")
@click.argument("block", required=False)
@click.option("--condition", help="The condition, where the run is in several.")
@click.option("--profile", help="The scoring profile; the condition's first without it.")
@click.option("--subset", default="all", show_default=True, help="The subset.")
@click.option(
    "--files",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The bundle's folder, for the lines of the run's files; without it the current folder, the store's, and "
    "where it was loaded from.",
)
@store_options
def command(
    run_id: str,
    metric: str,
    block: str | None,
    condition: str | None,
    profile: str | None,
    subset: str,
    files: Path | None,
    db: str,
    trace: bool,
) -> None:
    """Follow METRIC of RUN (of topic BLOCK) down the views that make it, with their values, to the input files; of a
    topic, to their lines.
    """
    from tdtsql.errors import exact, shown
    from tdtsql.audit.explain import SHOWN, explain
    from tdtsql.api import connect

    with connect(db, read_only=True, trace=trace, inspect=True) as store:
        explanation = explain(
            store.engine, run_id, metric, block, condition=condition, profile=profile, subset=subset, files=files
        )
    where = f", topic {block}" if block else ""
    say(
        f"{metric} of run {explanation.run} in {explanation.condition}{where}, profile {explanation.profile}, subset "
        f"{explanation.subset}"
    )
    for weighting, value, n, signature in explanation.numbers:
        say(
            f"    {weighting}: {exact(value) or 'undefined'}"
            + (f" (n {n})" if n is not None else "")
            + (f"\n        {signature}" if signature else "")
        )
    for step in explanation.steps:
        header = step.relation.header
        say(f"\n{step.relation.name}: {header.title}")
        say(f"    source: {' '.join(header.fields['source'].split())}")
        for line, values in step.formula():
            say(f"    formula: {line}")
            if values:
                say(f"        here: {values}")
        for row in step.rows:
            say(
                "    "
                + ", ".join(f"{name} {shown(value) or 'NULL'}" for name, value in zip(step.columns, row, strict=True))
            )
        if step.n_row > SHOWN:
            say(f"    ... {step.n_row} rows of this run")
    if explanation.trials:
        say("\nWhat counted in this topic (targets, and yes decisions; the first 50):")
        for row in explanation.trials:
            say(
                "    "
                + ", ".join(
                    f"{name} {shown(value) or 'NULL'}"
                    for name, value in zip(explanation.trial_columns, row, strict=True)
                )
            )
    if explanation.lines:
        say("\nLines of the input files about it:")
        for path, line, says in explanation.lines:
            say(f"    {path}:{line}: {says}")
        if explanation.n_line > len(explanation.lines):
            say(f"    ... {explanation.n_line} lines")
    if explanation.run_lines.lines:
        say("\nLines of the run's files about it:")
        for path, line, text in explanation.run_lines.lines:
            say(f"    {path}:{line}: {text}")
        if explanation.run_lines.n_line > len(explanation.run_lines.lines):
            say(f"    ... {explanation.run_lines.n_line} lines")
    elif block and not explanation.run_lines.unread:
        say(
            "\nNo line of the run's files is about it"
            + (": what a system does not say is a no." if explanation.is_decided else ".")
        )
    if explanation.run_lines.unread:
        say("\nFiles of the run whose lines cannot be told:")
        for message in explanation.run_lines.unread:
            say(f"    {message}")
    say("\nFiles:")
    for owner, path, kind, n_byte, sha256 in explanation.files:
        say(f"    {owner}: {path} ({kind}, {n_byte} bytes, sha256 {sha256[:16]})")
