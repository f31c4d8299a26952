"""Other forms of a store: `tdtsql archive`, `copy`, `export`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from tdtsql.cli.options import NEW_FILE, NEW_FOLDER, OLD_FILE, StoreOption
from tdtsql.cli.output import Printed, left_out, warn_of_state
from tdtsql.errors import ExportExists, counted
from tdtsql.output_file import written_beside
from tdtsql.progress import Progress
from tdtsql.show.table import Table

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
) -> Iterator[Any]:
    """Write tables, definitions, inputs' hashes and every number into OUT (a zip file).

    The same evaluation with the same versions gives an identical file.

    Args:
        tag: Make it a release of this name, which says in words what it holds.
        public: Without decisions and texts, for a corpus that may not be passed on: numbers, counts, signatures.
    """
    from tdtsql.audit.archive import pack

    packed = pack(engine, out, tag=tag, public=public, progress=progress)
    yield from left_out(engine)
    numbers = ", ".join((counted(packed.n_file, "file"), counted(packed.n_value, "number")))
    yield f"{out}: {numbers}, {counted(packed.n_byte, 'byte')}."
    yield Printed(f"{packed.words}root {packed.root}")


#: where most values of runs are shown
_USUAL = " (all, topic)"


def diff(
    format_: str,
    old: Annotated[Path, OLD_FILE],
    new: Annotated[Path, OLD_FILE],
    *,
    numbers: bool = False,
    judgments: bool = False,
) -> Iterator[Any]:
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
        yield [Table(*every("number" if numbers else "judgment", old, new))]
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
    yield Table(columns, rows, keep=columns)
    if format_ == "table" and not rows:
        yield Printed(f"{old} and {new} hold the same.")
    elif format_ == "table" and not any(row[0] == "run" for row in rows):
        yield "No run changed."
    if shared:
        yield f"Cause of every number: {shared}. Values without a note: subset all, over topics."


def verify(progress: Progress, archive: Annotated[Path, OLD_FILE], *, root: str | None = None) -> Iterator[Any]:
    """Check every byte of ARCHIVE, and recompute every number in it.

    Anyone with tdtsql can pack another sound archive: compare its root with the one that was published, or sign
    the file with ssh-keygen.

    Args:
        root: root printed by `archive pack`.
    """
    from tdtsql.audit.archive import verify

    packed = verify(archive, root=root, progress=progress)
    found = f"{archive}: {counted(packed.n_file, 'file')} as packed, {counted(packed.n_value, 'number')}"
    if packed.reach:
        yield f"{found}. It is public, so this is what could be checked:"
        yield from packed.reach
    else:
        yield f"{found} recomputed, 0 differences."
    if packed.own:
        said = counted(len(packed.own), "user-defined metric")
        yield f"{said}, checked and computed from the archive: {', '.join(packed.own)}."
    yield Printed(f"root {packed.root}")
    if root is None:
        yield (
            "Not checked: whether it is the archive that was meant. That takes --root with the root that was "
            "printed when it was packed, or a signature of ssh-keygen."
        )


def copy(opened: StoreOption, to: Annotated[Path, NEW_FILE]) -> Iterator[Any]:
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
        yield from left_out(source.engine)
        warn_of_state(source)
    yield f"{to}: {run} with {decision}, {computation}."


def export(store: "Store", folder: Annotated[Path, NEW_FOLDER]) -> Iterator[Any]:
    """Write every table and all stored scores as Parquet files into the new FOLDER.

    Decisions and other rows of runs become one file a run, below condition=ID/run=ID.
    """
    from tdtsql.audit.published import check_published
    from tdtsql.store.copy import export

    check_published(store.engine)
    yield Table(("relation", "rows"), sorted(export(store.engine, folder).items()))
    yield from left_out(store.engine)
    warn_of_state(store)
