"""`tdtsql archive`: a store in one file that another machine can compute again."""

from pathlib import Path

import click

from tdtsql.cli.options import store_options


@click.group("archive")
def command() -> None:
    """A store in one file that another machine can compute again."""


@command.command("pack")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@store_options
def pack_command(out: Path, db: str, trace: bool) -> None:
    """Write tables, definitions, inputs' hashes and every number into OUT (a zip file)."""
    from tdtsql.cli.progress import progress_bar
    from tdtsql.store.archive import pack
    from tdtsql.store.store import connect

    with connect(db, read_only=True, trace=trace) as store, progress_bar() as progress:
        packed = pack(store.engine, out, progress=progress)
    click.echo(f"{out}: {packed.n_file} files, {packed.n_value} numbers, {packed.n_byte} bytes.", err=True)
    click.echo(f"merkle root {packed.root}")


@command.command("verify")
@click.argument("archive", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--root", metavar="HEX", help="The Merkle root that was told when it was packed.")
def verify_command(archive: Path, root: str | None) -> None:
    """Check every byte of ARCHIVE, and compute every number in it again."""
    from tdtsql.cli.progress import progress_bar
    from tdtsql.errors import InvalidArchive, TdtsqlError
    from tdtsql.store.archive import verify

    try:
        with progress_bar() as progress:
            packed = verify(archive, root=root, progress=progress)
    except (TdtsqlError, OSError, MemoryError):
        raise
    except Exception as error:  # an archive is anybody's bytes: what cannot be read of it, in whatever way, is its defect
        said = str(error).splitlines()[0] if str(error) else ""
        raise InvalidArchive(f"{archive}: not an archive that tdtsql packed, or a damaged one ({type(error).__name__}: {said[:200]}).") from None
    click.echo(f"{archive}: {packed.n_file} files as packed, {packed.n_value} numbers computed again: all the same.", err=True)
    click.echo(f"merkle root {packed.root}")
