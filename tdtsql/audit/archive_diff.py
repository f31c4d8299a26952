"""Differences between two archives, and their causes.

Archives are compared by their contents: names, hashes, values. The cause of a different number is its run, its
condition (corpus, judgments, parameters), the profile, the definitions of its task, or the versions of the programs;
all causes are listed. Either archive may be public, and of any release whose archives have the same tables.

The queries are files of ``sql/archive/diff``. They read the archives as two attached databases, ``old`` and ``new``.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from tdtsql.audit.archive import ENVIRONMENT, read_release, written_parts
from tdtsql.audit.container import read, untrusted
from tdtsql.definitions.catalogue import read_statement
from tdtsql.definitions.empty import copy_into_memory
from tdtsql.engine.duckdb import Engine

#: what is compared, the causes first
PARTS = ("versions", "definitions", "profiles", "judgments", "conditions", "runs", "ranks", "numbers")
COLUMNS = ("what", "name", "change", "because")

#: relations that the queries read, empty ones of an empty store for those that an archive lacks
_TABLES = (
    "registry.definition registry.task_definition registry.task registry.corpus registry.condition registry.profile "
    "registry.run registry.withdrawal registry.excluded_topic registry.input_file ledger.entry base.block "
    "base.judgment base.topic base.story"
).split()
_FILES = {f"table/{name}.parquet": name for name in _TABLES} | {
    f"result/{name}.parquet": f"report.{name}" for name in ("score", "block_score", "leaderboard")
}
_INCOMPARABLE = "it cannot be compared (`tdtsql archive verify` says which release packed it)"
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
    """Return columns and rows of every ``number`` or ``judgment`` that differs between two archives. One that
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
    with closing(Engine(":memory:")) as engine, ExitStack() as stack:
        copy_into_memory(engine)
        engine.execute("create table version (side varchar, position integer, name varchar, value varchar)")
        for side, (path, files) in sides.items():
            # what a public archive has not is compared in neither
            held = {name: files[name] for name in _FILES if all(name in there for _, there in sides.values())}
            with untrusted(path, _INCOMPARABLE):
                relations = stack.enter_context(written_parts(path, engine, held))
                engine.execute(f"attach ':memory:' as {side}")
                for file, name in _FILES.items():
                    engine.execute(f"create schema if not exists {side}.{name.partition('.')[0]}")
                    source = relations.get(file, f"(from memory.{name} limit 0)")
                    engine.execute(f"create view {side}.{name} as from {source}")
                facts = {"tag": (read_release(path, files) or {}).get("tag")} | json.loads(files[ENVIRONMENT])
                rows = [(side, at, name, facts.get(name)) for at, name in enumerate(("tag", *_VERSIONS))]
                engine.insert_rows("version", ("side", "position", "name", "value"), rows)
        with untrusted(new, _INCOMPARABLE):
            engine.execute(read_statement("archive/diff/both"))
        yield engine
