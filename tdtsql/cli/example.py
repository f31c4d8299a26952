"""`tdtsql example`: the bundled example, as files."""

import shutil
from pathlib import Path

import click

from tdtsql.cli.options import ANY_PATH
from tdtsql.output_file import folder_beside


@click.command("example")
@click.argument("folder", type=ANY_PATH)
def command(folder) -> None:
    """Write the bundled example into FOLDER; `tdtsql evaluate FOLDER/bundle.toml` evaluates it."""
    if folder.exists():
        raise click.UsageError(f"{folder} already exists. Name a new folder.")
    with folder_beside(folder) as unfinished:
        shutil.copytree(example_root(), unfinished, dirs_exist_ok=True)
    click.echo(f"{folder}/bundle.toml is ready.", err=True)


def example_root() -> Path:
    """Return the folder of the example: in the installed package or the checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "example"
    return inside if inside.is_dir() else package.parent / "fixtures" / "example"
