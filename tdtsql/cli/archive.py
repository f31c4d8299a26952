"""`tdtsql archive`: a store in one file that another machine can compute again."""

from collections.abc import Sequence

import click

from tdtsql.cli.options import NEW_FILE, OLD_FILE, StoreOption, format_option, store_options
from tdtsql.cli.output import counted, print_rows, say, say_left_out
from tdtsql.cli.progress import progress_bar
from tdtsql.errors import InvalidArchive, TdtsqlError


@click.group("archive")
def command() -> None:
    """A store in one file that another machine can compute again."""


@command.command("pack")
@click.argument("out", type=NEW_FILE)
@click.option("--tag", metavar="NAME", help="Make it a release of this name, which says in words what it holds.")
@click.option(
    "--public",
    is_flag=True,
    help="Without decisions and texts, for a corpus that may not be passed on: numbers, counts, signatures.",
)
@store_options
def pack_command(out, tag, public, opened: StoreOption) -> None:
    """Write tables, definitions, inputs' hashes and every number into OUT (a zip file).

    The same evaluation with the same versions gives an identical file.
    """
    from tdtsql.audit.archive import pack

    with opened.read() as store, progress_bar() as progress:
        packed = pack(store.engine, out, tag=tag, public=public, progress=progress)
        say_left_out(store.engine)
    click.echo(
        f"{out}: {counted(packed.n_file, 'file')}, {counted(packed.n_value, 'number')}, "
        f"{counted(packed.n_byte, 'byte')}.",
        err=True,
    )
    if packed.words:
        say(packed.words.rstrip())
    click.echo(f"root {packed.root}")


#: the place of most values that are shown of runs
_USUAL = " (all, topic)"


@command.command("diff")
@click.argument("old", type=OLD_FILE)
@click.argument("new", type=OLD_FILE)
@click.option("--numbers", is_flag=True, help="Every number that differs, instead of a line for each run and profile.")
@format_option
def diff_command(old, new, numbers, format_) -> None:
    """Show what differs between two archives: conditions, judgments, runs, profiles, definitions, numbers, and why
    numbers do.

    Nothing is computed: `archive verify` checks each archive.
    """
    from tdtsql.audit.archive_diff import COLUMNS, NUMBER_COLUMNS, differences, different_numbers

    if numbers:
        print_rows(NUMBER_COLUMNS, different_numbers(old, new), format_)
        return
    rows: Sequence[tuple[str, ...]] = differences(old, new)
    columns: Sequence[str] = COLUMNS
    causes = {row[3] for row in rows if row[0] == "number"}
    shared = causes.pop() if format_ == "table" and len(causes) == 1 else ""
    if shared:  # once, below the table: it leaves room for the numbers
        columns = COLUMNS[:3]
        rows = [
            (*row[:2], row[2].removesuffix(_USUAL) if row[0] == "number" else " ".join(row[2:4]).strip())
            for row in rows
        ]
    if rows or format_ != "table":
        print_rows(columns, rows, format_, keep=columns)
        if format_ == "table" and not any(row[0] == "run" for row in rows):
            say("No run changed.", err=True)
        if shared:
            say(f"Cause of every number: {shared}. Values without a note: subset all, over topics.", err=True)
    else:
        say(f"{old} and {new} hold the same.")


@command.command("verify")
@click.argument("archive", type=OLD_FILE)
@click.option("--root", metavar="HEX", help="root printed by `archive pack`.")
def verify_command(archive, root) -> None:
    """Check every byte of ARCHIVE, and recompute every number in it.

    Anyone with tdtsql can pack another sound archive: compare its root with the one that was published, or sign
    the file with ssh-keygen.
    """
    from tdtsql.audit.archive import verify

    try:
        with progress_bar() as progress:
            packed = verify(archive, root=root, progress=progress)
    except (TdtsqlError, OSError, MemoryError):
        raise
    except Exception as error:  # an archive is untrusted: any error while reading it is reported as its defect
        said = str(error).splitlines()[0] if str(error) else ""
        raise InvalidArchive(
            f"{archive}: not an archive that tdtsql packed, or a damaged one ({type(error).__name__}: {said[:200]})."
        ) from None
    if packed.reach:
        say(
            f"{archive}: {counted(packed.n_file, 'file')} as packed, {counted(packed.n_value, 'number')}. It is "
            f"public, so this is what could be checked:",
            err=True,
        )
        for sentence in packed.reach:
            say(sentence, err=True)
    else:
        click.echo(
            f"{archive}: {counted(packed.n_file, 'file')} as packed, {counted(packed.n_value, 'number')} recomputed, "
            f"0 differences.",
            err=True,
        )
    if packed.own:
        said = counted(len(packed.own), "user-defined metric")
        say(f"{said}, checked and computed from the archive: {', '.join(packed.own)}.", err=True)
    click.echo(f"root {packed.root}")
    if root is None:
        click.echo(
            "Not checked: whether it is the archive that was meant. That takes --root with the root that was "
            "printed when it was packed, or a signature of ssh-keygen.",
            err=True,
        )
