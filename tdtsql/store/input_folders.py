"""Folders from which the files of a store were loaded: noted in the user's cache folder, not in the store.

A store has paths as the bundle gives them, so that it is the same on every machine. With the note, users who request
lines of these files on the machine where they were loaded need not pass the bundle's folder again. A file is used only
if its size and hash are those in the store; the note has no other effect.
"""

from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.hashes import digest
from tdtsql.cache import cache_folder, prune_by_count

#: stores of which folders are known, and folders of one store
LIMIT, MOST = 1000, 20


def remember_folder(engine: Engine, folder: Path) -> None:
    """Note that files of a store were read with paths that begin at ``folder``."""
    note = _note(engine)
    if note is None:
        return
    known = [str(place) for place in known_folders(engine)]
    newest = [str(folder.resolve()), *(place for place in known if place != str(folder.resolve()))][:MOST]
    if newest == known or "\n" in newest[0]:
        return
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_text("\n".join(newest), encoding="utf-8")
        prune_by_count(note.parent, "*", LIMIT)
    except OSError:
        pass


def known_folders(engine: Engine) -> list[Path]:
    """Return the folders that are noted for a store, the newest first."""
    note = _note(engine)
    try:
        return [Path(line) for line in note.read_text(encoding="utf-8").split("\n")] if note is not None else []
    except (OSError, ValueError):
        return []


def _note(engine: Engine) -> Path | None:
    if engine.path == ":memory:":
        return None
    place = engine.path if engine.file is None else str(engine.file.resolve())
    return cache_folder() / "folders" / digest(["store", place])[:40]
