"""An empty store, made once for an installation and copied from then on, and what every store should be.

Making the tables, views and comments of a store takes longer than evaluating a
small bundle. The copy lies in the user's cache folder, under a name that changes with the
definitions, the engine and this package, and beside it a description: the hash of the
file, the texts of all tables, views and macros, the hashes of what the registry says of them. Both are looked at before
they are
used (owner, mode, hash) and made again where they are not what they were; where that folder cannot be written,
every store is made afresh.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import duckdb

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted_path
from tdtsql.metric.fingerprint import digest
from tdtsql.cache import cache_folder, installed_key, is_own, keep_newest, own_folder, read_own, write_own
from tdtsql.version import __version__

Fill = Callable[[str], None]
#: what a store file should hold, of an empty one
Describe = Callable[[str], dict]

#: empty stores in the cache folder: several installations and engines may share it
LIMIT = 16


def template(fill: Fill, describe: Describe) -> Path | None:
    """Return the file of an empty store, made by ``fill(path)`` where it is not there as it was made; None without a
    cache folder.
    """
    path = _path()
    said = _description(path)
    if said is not None and is_own(path) and _sha256(path) == said["sha256"]:
        return path
    return path if _make(path, fill, describe) is not None and path.is_file() else None


def description(fill: Fill, describe: Describe) -> dict:
    """Return what ``describe`` says of an empty store of this installation."""
    path = _path()
    said = _description(path)
    if said is None:
        said = _make(path, fill, describe)
    if said is None:
        with tempfile.TemporaryDirectory() as folder:
            said = _filled(Path(folder) / "empty.duckdb", fill, describe)
    return said


def _path() -> Path:
    package = sorted(Path(__file__).parents[1].glob("store/*.py"))
    key = digest(
        [installed_key(), __version__, duckdb.__version__, *(path.read_text(encoding="utf-8") for path in package)]
    )
    return cache_folder() / f"empty-{key[:16]}.duckdb"


def _description(path: Path) -> dict | None:
    text = read_own(path.with_suffix(".json"))
    return None if text is None else json.loads(text)


def _make(path: Path, fill: Fill, describe: Describe) -> dict | None:
    """Make the empty store and its description in the cache folder; None where that cannot be."""
    folder = path.parent
    try:
        if not own_folder(folder):
            return None
        with tempfile.TemporaryDirectory(dir=folder) as made:
            fresh = Path(made) / "empty.duckdb"
            said = _filled(fresh, fill, describe)
            fresh.chmod(0o600)
            os.replace(fresh, path)  # another process may have made the same one meanwhile
            write_own(path.with_suffix(".json"), json.dumps(said))
        keep_newest(folder, "empty-*.duckdb", LIMIT)
        keep_newest(folder, "empty-*.json", LIMIT)
    except OSError:
        return None
    return said


def _filled(path: Path, fill: Fill, describe: Describe) -> dict:
    fill(str(path))
    return {**describe(str(path)), "sha256": _sha256(path)}


def _sha256(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def copy_into_file(source: Path, path: str) -> None:
    """Make ``path``, which must not be there, an empty store."""
    folder = Path(path).resolve().parent
    with tempfile.TemporaryDirectory(dir=folder) as made:
        copy = Path(made) / "store.duckdb"
        shutil.copyfile(source, copy)
        os.link(copy, path)  # unlike a rename, fails where somebody else made the file meanwhile


def copy_into_memory(source: Path, engine: Engine) -> None:
    """Make an empty database in memory an empty store."""
    engine.execute(f"attach {quoted_path(source)} as empty_store (read_only)")
    engine.execute("copy from database empty_store to memory")
    engine.execute("detach empty_store")


def copy_compact(source: str, path: str) -> None:
    """Copy a store into a new file, without the room that is free again in a file written step by step."""
    Engine(path).close()
    engine = Engine(":memory:")
    try:
        engine.execute(f"attach {quoted_path(source)} as first (read_only)")
        engine.execute(f"attach {quoted_path(path)} as compact")
        engine.execute("copy from database first to compact")
    finally:
        engine.close()
