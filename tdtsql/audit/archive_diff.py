"""Differences between two archives, and their causes.

Archives are compared by their contents: names, hashes, values. The cause of a different number is its run, its
condition (corpus, judgments, parameters), the profile, the definitions of its task, or the versions of the programs;
all causes are listed. Either archive may be public, and of any release whose archives have the same tables.

The queries are files of ``sql/archive/diff``. They read the archives as two attached databases, ``old`` and ``new``.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from tdtsql.audit.container import read, written_parts
from tdtsql.audit.release import read_release
from tdtsql.definitions.catalogue import read_statement
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import Engine, first_line
from tdtsql.engine.quoting import parquet_source
from tdtsql.errors import InvalidArchive

#: what is compared, the causes first
PARTS = ("versions", "definitions", "profiles", "judgments", "conditions", "runs", "ranks", "numbers")
COLUMNS = ("what", "name", "change", "because")
#: what may be listed in full
LISTS = ("number", "judgment")

#: relations that the queries read, and tdtsql's own tables for those that an archive lacks
_TABLES = (
    "registry.definition registry.task_definition registry.task registry.corpus registry.condition registry.profile "
    "registry.run registry.withdrawal registry.excluded_topic registry.input_file ledger.entry base.block "
    "base.judgment base.topic base.story"
).split()
_RESULTS = ("score", "block_score", "leaderboard")
_VERSIONS = ("tdtsql", "duckdb", "python", "numpy", "libc", "machine", "system")


def differences(old: Path, new: Path) -> list[tuple]:
    """Return rows of COLUMNS for everything that differs between two archives, the causes first.

    Raises:
        InvalidArchive: one of them is damaged, or has other tables.
    """
    with _compared(old, new) as engine:
        queries = [read_statement(f"archive/diff/{part}") for part in PARTS]
        return [row[: len(COLUMNS)] for query in queries for row in engine.rows(query)]


def every(what: str, old: Path, new: Path) -> tuple[list[str], list[tuple]]:
    """Return columns and rows of every number or judgment (one of LISTS) that differs between two archives. One that
    only one archive has is None on the other side.

    Raises:
        InvalidArchive: one of them is damaged, or has other tables.
    """
    with _compared(old, new) as engine:
        found = engine.relation(read_statement(f"archive/diff/every_{what}"))
        return found.columns, found.fetchall()


@contextmanager
def _compared(old: Path, new: Path) -> Iterator[Engine]:
    """Yield a database in which two archives are attached, with the relations of both."""
    sides = {"old": (old, read(old)), "new": (new, read(new))}
    # what a public archive has not is compared in neither
    has = [name for name in _TABLES if all(f"table/{name}.parquet" in files for _, files in sides.values())]
    with closing(Engine(":memory:")) as engine, TemporaryDirectory() as folder:
        engine.execute("create table version (side varchar, position integer, name varchar, value varchar)")
        for side, (path, files) in sides.items():
            try:
                _attach(engine, side, files, has, Path(folder) / side)
                facts = {"tag": (read_release(path, files) or {}).get("tag")} | json.loads(files["environment.json"])
                rows = [(side, at, name, facts.get(name)) for at, name in enumerate(("tag", *_VERSIONS))]
                engine.insert_rows("version", ("side", "position", "name", "value"), rows)
            except (duckdb.Error, KeyError, TypeError, ValueError, AttributeError) as error:
                raise _incomparable(path, error) from None
        try:
            engine.execute(read_statement("archive/diff/both"))
        except duckdb.Error as error:
            raise _incomparable(new, error) from None
        yield engine


def _attach(engine: Engine, side: str, files: Mapping[str, bytes], has: list[str], folder: Path) -> None:
    """Attach an archive as a database in memory whose relations are its files."""
    engine.execute(f"attach ':memory:' as {side}")
    named = {f"report.{name}": f"result/{name}.parquet" for name in _RESULTS}
    named |= {name: f"table/{name}.parquet" for name in has}
    parts = written_parts(engine, {name: files[file] for name, file in named.items() if file in files}, folder)
    for schema in {name.partition(".")[0] for name in (*named, *_TABLES)}:
        engine.execute(f"create schema if not exists {side}.{schema}")
    for name in (*named, *_TABLES):
        if name in parts:
            engine.execute(f"create or replace view {side}.{name} as from {parquet_source(parts[name])}")
        elif name in tables():
            columns = ", ".join(f'"{column}" {tables()[name].type_of(column)}' for column in tables()[name].columns)
            engine.execute(f"create table {side}.{name} ({columns})")


def _incomparable(path: Path, error: Exception) -> InvalidArchive:
    return InvalidArchive(
        f"{path}: it cannot be compared: {first_line(error)}. Is it of another release? `tdtsql archive verify` says "
        f"which one packed it."
    )
