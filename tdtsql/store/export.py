"""A store as Parquet files: for another engine, for a notebook, for a lake."""

from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted_path
from tdtsql.errors import ExportExists, NotAStore
from tdtsql.definitions.table import tables
from tdtsql.output_file import folder_beside
from tdtsql.store.opening import is_current

#: relations of report that are exported in addition to the tables
REPORTS = ("report.score", "report.block_score", "report.block_label", "report.det_point", "report.leaderboard")


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
    if not is_current(engine):  # its views are its own
        raise NotAStore(
            f"{engine.path}: made with other definitions than those installed. `tdtsql score --db {engine.path}` "
            "updates it."
        )
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
                _copy(
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
            written[name] = _copy(engine, f"select * from {name}", folder / schema / f"{short}.parquet")
    for name in REPORTS:
        schema, short = name.split(".")
        written[name] = _copy(engine, f"select * from {name} order by all", folder / schema / f"{short}.parquet")
    return written


def _copy(engine: Engine, query: str, path: Path) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    return engine.value(f"copy ({query}) to {quoted_path(path)} (format parquet, compression zstd)")


def safe_name(name: str) -> str:
    """Return a name as a folder may be called; what a file system does not take is written %XX."""
    return "".join(
        letter if letter.isalnum() or letter in "-_.+" else "".join(f"%{byte:02X}" for byte in letter.encode())
        for letter in name
    )
