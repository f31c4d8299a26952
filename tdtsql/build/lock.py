"""Write ``sql/versions.lock`` and the compiled definitions, or compare the lock with the files.

Writing the lock updates unreleased entries and views without a version, and never released ones.

    python -m tdtsql.build.lock             compare
    python -m tdtsql.build.lock --write     compile, and take up what is new or unreleased
    python -m tdtsql.build.lock --release 0.1.0     the same, and freeze it as of this release
"""

import sys
from dataclasses import replace
from pathlib import Path

from tdtsql.build.compile import definitions_key, write as compile_all
from tdtsql.definitions.catalogue import installed_key, is_installation, is_package, sql_root
from tdtsql.definitions.lock import (
    FILE,
    OF_COMPILED,
    SCHEMA,
    SUM,
    UNRELEASED,
    Mismatch,
    current,
    is_kept,
    read_lock,
    sum_of,
    verify,
)

_HEAD = """\
# Definitions as published: name, release, sha256 of its tokens, of its closure, of its file.
# Comments and layout do not count. Written by `python -m tdtsql.build.lock --write`; never edited by hand.
"""


def write(root: Path, *, release: str | None = None) -> list[Mismatch]:
    """Write the lock and return the released definitions whose entries it did not change.

    Args:
        root: the folder ``sql``.
        release: from now on unreleased entries belong to this release.
    """
    if root == sql_root() or is_package(root):
        compile_all(root)
    locked = read_lock(root / FILE, check_sum=False)
    released = {name: entry for name, entry in locked.items() if entry.since != UNRELEASED}
    frozen = {name: entry for name, entry in released.items() if is_kept(name)}
    now = current(root)
    since = {name: released[name].since if name in released else UNRELEASED for name in now}
    entries = {name: replace(entry, since=since[name]) for name, entry in now.items()} | frozen
    if release:
        entries = {
            name: entry if entry.since != UNRELEASED else replace(entry, since=release)
            for name, entry in entries.items()
        }
    # tables may grow; a change that a released view reads must not look like an unchanged schema when a store opens
    broken = any(entry.closure != now[name].closure for name, entry in frozen.items() if name != SCHEMA and name in now)
    entries[SCHEMA] = locked[SCHEMA] if broken and SCHEMA in locked else now[SCHEMA]
    text = _HEAD + "".join(f"{entry}\n" for _, entry in sorted(entries.items()))
    (root / FILE).write_text(f"{text}{SUM}{sum_of(text)}\n", encoding="utf-8")
    return verify(root)


def main(arguments: list[str]) -> int:
    """Compare or write the lock of this installation; return the exit code."""
    root = sql_root()
    release = arguments[1] if arguments[:1] == ["--release"] and len(arguments) == 2 else None
    if arguments and is_installation():
        sys.stderr.write("The lock of an installation is never written. Install tdtsql again.\n")
        return 2
    if release or arguments == ["--write"]:
        found = write(root, release=release)
    else:
        is_older = installed_key() != definitions_key(root)  # files of sql/load are in no other entry
        found = verify(root) + ([Mismatch(OF_COMPILED, "tokens", "", "")] if is_older else [])
    for mismatch in found:
        sys.stderr.write(f"{mismatch}\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
