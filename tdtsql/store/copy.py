"""A store copied whole into a new file, or into a temporary one without the names of runs and teams; or written as
Parquet files, for another engine, for a notebook, for a lake.

All rows are copied unchanged, stored results and ledger included: nothing is recomputed, and `ledger verify` compares
the copy with its source. Whatever shows a blinded copy (reports, tables, the web UI, SQL that users type) cannot show
a name, because it has none.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from tdtsql.definitions.catalogue import read_statement, roots
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted_path, sql_identifier
from tdtsql.errors import ExportExists, NotAStore
from tdtsql.output_file import folder_beside
from tdtsql.store.opening import is_current, open_file
from tdtsql.store.registry import users_relations

#: relations of report that are exported in addition to the tables
REPORTS = ("report.score", "report.block_score", "report.block_label", "report.det_point", "report.leaderboard")

#: the columns that a copy without names keeps: comments of `sql/schema`, so a new column is not in it
_PUBLIC = re.compile(r"^-- public (\S+): (.+)$", re.MULTILINE)
#: rows of public tables that are of single runs, or say who did what
_HIDE = (
    "delete from registry.problem where starts_with(owner, 'run:')",
    "delete from registry.input_file where starts_with(owner, 'run:')",
    "delete from ledger.entry where kind <> 'define'",
)


def copy_store(engine: Engine, path: Path) -> Engine:
    """Copy a store into ``path``, which does not exist, without the relations that users have added, and return the
    open copy.

    Raises:
        NotAStore: the store was made with other definitions than those installed.
    """
    _check_current(engine)
    if engine.file is not None and engine.read_only:  # such a connection may be denied other files
        for end in ("", ".wal"):
            if Path(f"{engine.file}{end}").exists():
                copyfile(f"{engine.file}{end}", f"{path}{end}")
    else:
        source, target = engine.value("select current_database()"), engine.unused_name("copied")
        engine.execute(f"attach {quoted_path(path)} as {target} (read_write)")
        try:
            engine.execute(f"copy from database {sql_identifier(source)} to {target}")
        finally:
            engine.execute(f"detach {target}")
    copy = open_file(str(path))
    try:
        for kind, schema, name in users_relations(copy):
            copy.execute(f"drop {kind} if exists {sql_identifier(schema)}.{sql_identifier(name)} cascade")
    except BaseException:
        copy.close()
        raise
    return copy


def _check_current(engine: Engine) -> None:
    """Raise NotAStore where a store was made with other definitions than those installed."""
    if not is_current(engine):
        raise NotAStore(
            f"{engine.path}: made with other definitions than those installed. `tdtsql score --db {engine.path}` "
            f"updates it."
        )


def pseudonyms(engine: Engine) -> dict[str, str]:
    """Return run -> the name that it has where names are hidden: from the hash of its rows, which is in its
    signatures (``run:``), so its author knows it.
    """
    rows = engine.rows("select run_id, arg_min(content_sha256, condition_no) from registry.run group by all")
    digits = next(n for n in range(6, 65) if len({text[:n] for _, text in rows}) == len(rows))
    return {run: f"run-{text[:digits]}" for run, text in rows}


@contextmanager
def blinded(engine: Engine, named: Collection[str] = ()) -> Iterator[Engine]:
    """Yield a copy of a store, with its numbers, in which runs have pseudonyms: without teams, aliases, metadata,
    warnings and files of runs, reasons of withdrawals, the history in the ledger, and relations that users have added.

    Raises:
        NotAStore: the store was made with other definitions than those installed.
    """
    with TemporaryDirectory(prefix="tdtsql-") as folder:
        copy = copy_store(engine, Path(folder) / (engine.file.name if engine.file else "store.duckdb"))
        try:
            _hide(copy)
            rename(copy, {run: name for run, name in pseudonyms(engine).items() if run not in named})
            yield copy
        finally:
            copy.close()


def rename(store: Engine, names: Mapping[str, str]) -> None:
    """Give runs of a blinded copy other names."""
    store.execute("create temp table new_name (run_id varchar, name varchar)")
    store.insert_rows("new_name", ("run_id", "name"), [*names.items()])
    for table, column in (("run", "run_id"), ("condition", "baseline")):
        store.execute(
            f"update registry.{table} set {column} = name from new_name where new_name.run_id = {table}.{column}"
        )
    store.execute("drop table new_name")


def public_columns() -> list[tuple[str, str]]:
    """Return (table, column) of all that a copy without names keeps."""
    return [
        (table, name)
        for root in roots()
        for path in sorted((root / "schema").glob("*.sql"))
        for table, names in _PUBLIC.findall(path.read_text(encoding="utf-8"))
        for name in names.split(", ")
    ]


def _hide(copy: Engine) -> None:
    """Empty what is not public."""
    public = json.dumps(public_columns())
    for statement in (*copy.column(read_statement("archive/hidden"), {"public": public}), *_HIDE):
        copy.execute(statement)


# ---- Parquet


def export(engine: Engine, folder: Path) -> dict[str, int]:
    """Write every table of the store, and the stored results of report, below ``folder``.

    ``base.story`` becomes ``base/story.parquet``; tables with rows of runs become one
    file a run, ``base/decision/condition=ID/run=ID/part.parquet``. Rows keep their order, so
    the same store gives the same files.

    Returns:
        relation -> rows written.

    Raises:
        ExportExists: the folder is not empty.
    """
    if folder.exists() and any(folder.iterdir()):
        raise ExportExists(f"{folder}: the folder is not empty. Name a new one.")
    _check_current(engine)  # else its views are its own
    with folder_beside(folder) as unfinished:
        return _export_into(engine, unfinished)


def _export_into(engine: Engine, folder: Path) -> dict[str, int]:
    runs = engine.rows(
        """select run.run_no, condition.condition_id, run.run_id from registry.run as run
        join registry.condition as condition on condition.condition_no = run.condition_no order by run.run_no"""
    )
    written: dict[str, int] = {}
    for name, table in tables().items():
        schema, short = name.split(".")
        if schema not in ("registry", "base"):
            continue
        if "run_no" in table.columns and schema == "base":
            written[name] = sum(
                _write_parquet(
                    engine,
                    f"select * from {name} where run_no = {run_no}",
                    folder
                    / schema
                    / short
                    / f"condition={safe_name(condition_id)}"
                    / f"run={safe_name(run_id)}"
                    / "part.parquet",
                )
                for run_no, condition_id, run_id in runs
            )
        else:
            written[name] = _write_parquet(engine, f"select * from {name}", folder / schema / f"{short}.parquet")
    for name in REPORTS:
        schema, short = name.split(".")
        written[name] = _write_parquet(
            engine, f"select * from {name} order by all", folder / schema / f"{short}.parquet"
        )
    return written


def _write_parquet(engine: Engine, query: str, path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    return engine.value(f"copy ({query}) to {quoted_path(path)} (format parquet, compression zstd)")


def safe_name(name: str) -> str:
    """Return a name as a folder may be called; what a file system does not take is written %XX."""
    return "".join(
        letter if letter.isalnum() or letter in "-_.+" else "".join(f"%{byte:02X}" for byte in letter.encode())
        for letter in name
    )
