"""Versions of everything that affects the numbers of this installation."""

import platform
from importlib.metadata import version

from tdtsql.definitions.catalogue import installed_key, sql_root
from tdtsql.definitions.sets import left_out, use_all
from tdtsql.definitions.lock import FILE, SCHEMA, UNRELEASED, read_lock, unlisted


def versions() -> list[tuple[str, str]]:
    """Return (name, value) of the engine, of the definitions, and of other dependencies of numbers.

    The hash covers the files of ``sql/``; it is the one that a store records as ``definitions`` in registry.made_with.
    """
    locked = read_lock(sql_root() / FILE)
    locked.pop(SCHEMA, None)  # the tables, which may grow
    since = sorted({entry.since for entry in locked.values()} - {UNRELEASED})
    n_open = sum(entry.since == UNRELEASED for entry in locked.values())
    packages = [f"{one.name} {one.version}, task {one.task.name}, {one.sha256[:8]}, {one.root}" for one in use_all()]
    releases = f"released in {', '.join(since)}" if since else "none released"
    return [
        ("engine", f"DuckDB {version('duckdb')}"),
        ("definitions", installed_key()),
        ("lock", f"{len(locked)} definitions, {releases}" + (f", {n_open} unreleased" if n_open else "")),
        *(("left out", f"{file} is in no lock") for file in unlisted()),
        *(("task package", line) for line in packages + left_out()),
        ("python", f"{platform.python_version()}, numpy {version('numpy')}, sqlglot {version('sqlglot')}"),
        ("system", " ".join((platform.system(), platform.machine(), *platform.libc_ver())).strip()),
    ]
