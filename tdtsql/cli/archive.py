"""Other forms of a store: `tdtsql archive`, `copy`, `export`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from tdtsql.cli.options import NEW_FILE, NEW_FOLDER, OLD_FILE, StoreOption
from tdtsql.cli.output import counted, print_rows, say, say_left_out, warn_of_state
from tdtsql.errors import ExportExists, InvalidArchive, TdtsqlError
from tdtsql.output_file import written_beside
from tdtsql.progress import Progress

if TYPE_CHECKING:
    from tdtsql.api import Store
    from tdtsql.engine.duckdb import Engine


def pack(
    engine: "Engine",
    progress: Progress,
    out: Annotated[Path, NEW_FILE],
    *,
    tag: str | None = None,
    public: bool = False,
) -> None:
    """Write tables, definitions, inputs' hashes and every number into OUT (a zip file).

    The same evaluation with the same versions gives an identical file.

    Args:
        tag: Make it a release of this name, which says in words what it holds.
        public: Without decisions and texts, for a corpus that may not be passed on: numbers, counts, signatures.
    """
    from tdtsql.audit.archive import pack

    packed = pack(engine, out, tag=tag, public=public, progress=progress)
    say_left_out(engine)
    numbers = ", ".join((counted(packed.n_file, "file"), counted(packed.n_value, "number")))
    say(f"{out}: {numbers}, {counted(packed.n_byte, 'byte')}.", err=True)
    if packed.words:
        say(packed.words.rstrip())
    say(f"root {packed.root}")


#: where most values of runs are shown
_USUAL = " (all, topic)"


def diff(
    format_: str,
    old: Annotated[Path, OLD_FILE],
    new: Annotated[Path, OLD_FILE],
    *,
    numbers: bool = False,
    judgments: bool = False,
) -> None:
    """Show what differs between two archives: conditions, judgments, runs, profiles, definitions, ranks, numbers, and
    why numbers do.

    Nothing is computed: `archive verify` checks each archive.

    Args:
        numbers: Every number that differs, instead of a line for each run and profile.
        judgments: Every judgment that differs, instead.
    """
    from tdtsql.audit.archive_diff import COLUMNS, differences, every

    if numbers and judgments:
        raise click.UsageError("--numbers and --judgments are two tables: choose one of them.")
    if numbers or judgments:
        print_rows(*every("number" if numbers else "judgment", old, new), format_)
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
    if not rows and format_ == "table":
        say(f"{old} and {new} hold the same.")
        return
    print_rows(columns, rows, format_, keep=columns)
    if format_ == "table" and not any(row[0] == "run" for row in rows):
        say("No run changed.", err=True)
    if shared:
        say(f"Cause of every number: {shared}. Values without a note: subset all, over topics.", err=True)


def verify(progress: Progress, archive: Annotated[Path, OLD_FILE], *, root: str | None = None) -> None:
    """Check every byte of ARCHIVE, and recompute every number in it.

    Anyone with tdtsql can pack another sound archive: compare its root with the one that was published, or sign
    the file with ssh-keygen.

    Args:
        root: root printed by `archive pack`.
    """
    from tdtsql.audit.archive import verify

    try:
        packed = verify(archive, root=root, progress=progress)
    except (TdtsqlError, OSError, MemoryError):
        raise
    except Exception as error:  # an archive is untrusted: any error while reading it is reported as its defect
        said = str(error).splitlines()[0] if str(error) else ""
        raise InvalidArchive(
            f"{archive}: not an archive that tdtsql packed, or a damaged one ({type(error).__name__}: {said[:200]})."
        ) from None
    found = f"{archive}: {counted(packed.n_file, 'file')} as packed, {counted(packed.n_value, 'number')}"
    if packed.reach:
        say(f"{found}. It is public, so this is what could be checked:", err=True)
        for sentence in packed.reach:
            say(sentence, err=True)
    else:
        say(f"{found} recomputed, 0 differences.", err=True)
    if packed.own:
        said = counted(len(packed.own), "user-defined metric")
        say(f"{said}, checked and computed from the archive: {', '.join(packed.own)}.", err=True)
    say(f"root {packed.root}")
    if root is None:
        say(
            "Not checked: whether it is the archive that was meant. That takes --root with the root that was "
            "printed when it was packed, or a signature of ssh-keygen.",
            err=True,
        )


def copy(opened: StoreOption, to: Annotated[Path, NEW_FILE]) -> None:
    """Copy the store, with its numbers and its ledger, into the new file TO.

    Nothing is computed again; `tdtsql ledger verify --db TO` does that.
    """
    from tdtsql.engine.duckdb import check_file_name
    from tdtsql.store.copy import copy_store

    if to.exists():
        raise ExportExists(f"{to}: the file exists. Name a new one.")
    check_file_name(str(to))
    counts = {"registry.run": "run", "base.decision": "decision", "ledger.computation": "computation"}
    with opened.open() as source, written_beside(to) as unfinished:
        made = copy_store(source.engine, unfinished)
        try:
            run, decision, computation = (
                counted(made.value(f"select count(*) from {table}"), what) for table, what in counts.items()
            )
            made.execute("checkpoint")  # the log is not moved along
        finally:
            made.close()
        say_left_out(source.engine)
        warn_of_state(source)
    say(f"{to}: {run} with {decision}, {computation}.", err=True)


def export(store: "Store", format_: str, folder: Annotated[Path, NEW_FOLDER]) -> None:
    """Write every table and all stored scores as Parquet files into the new FOLDER.

    Decisions and other rows of runs become one file a run, below condition=ID/run=ID.
    """
    from tdtsql.audit.published import check_published
    from tdtsql.store.copy import export

    check_published(store.engine)
    print_rows(("relation", "rows"), sorted(export(store.engine, folder).items()), format_)
    say_left_out(store.engine)
    warn_of_state(store)
