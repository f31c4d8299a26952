"""`tdtsql task`: the tasks of this installation, and packages that bring tasks."""

from pathlib import Path

import click

from tdtsql.cli.options import ANY_PATH, format_option
from tdtsql.cli.output import print_rows, say
from tdtsql.errors import counted
from tdtsql.task import TASKS


@click.group("task")
def command() -> None:
    """List tasks; start, lock and check a task package (docs/how-to/task.md)."""


@command.command("list")
@format_option
def list_command(format_) -> None:
    """List all tasks, and the packages that define them."""
    from tdtsql.installed import IN_USE, use_all

    use_all()
    rows = [
        (
            task.name,
            task.primary,
            " ".join(task.formats),
            task.default_profile,
            f"{IN_USE[task.name].name} {IN_USE[task.name].version}" if task.name in IN_USE else "tdtsql",
        )
        for task in TASKS.values()
    ]
    print_rows(["task", "primary", "formats", "default_profile", "package"], rows, format_)


@command.command("new")
@click.argument("name")
@click.option("--to", "folder", type=ANY_PATH, help="Folder to write. Default: tdtsql-NAME.")
def new_command(name, folder) -> None:
    """Write a small, complete task package.

    It passes `tdtsql task check`.
    """
    from tdtsql.testing import write_skeleton

    target = folder or Path(f"tdtsql-{name}")
    write_skeleton(name, target)
    say(
        f"Wrote {target}. Next:\n"
        f"    pip install -e {target}      makes the task known\n"
        f"    tdtsql task check {target}   checks definitions and example\n"
        f"    tdtsql task lock {target}    after each change of its SQL",
        err=True,
    )


@command.command("lock")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def lock_command(folder) -> None:
    """Write the lock of a package after a change of its SQL.

    Compiles the SQL, and writes versions.lock and compiled.json next to it.
    """
    from tdtsql.testing import lock_folder

    root, mismatches = lock_folder(folder)
    for mismatch in mismatches:
        click.echo(str(mismatch), err=True)
    if mismatches:
        raise SystemExit(1)
    click.echo(f"Wrote {root / 'versions.lock'} and {root / 'compiled.json'}.", err=True)


@command.command("check")
@click.argument("place", metavar="FOLDER|NAME")
def check_command(place) -> None:
    """Check a task package by its definitions and its example.

    The example is evaluated, compared, archived and verified; damaged copies of its files must be refused.

    FOLDER is that of its pyproject.toml; NAME is an installed task.
    """
    from tdtsql.testing import check_package

    n_failed = n_check = 0
    for title, problems in check_package(place):
        click.echo(f"{'failed' if problems else 'passed'}  {title}")
        for problem in problems:
            click.echo(f"    {problem}")
        n_check += 1
        n_failed += bool(problems)
    if n_failed:
        click.echo(f"{n_failed} of {counted(n_check, 'check')} failed.", err=True)
        raise SystemExit(1)
