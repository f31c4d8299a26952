"""An empty store, made once for an installation and copied from then on.

Making the tables, views and comments of a store takes longer than evaluating a
small bundle. The copy lies in the user's cache folder, under a name that changes with the
definitions, the engine and this package; where that folder cannot be written,
every store is made afresh.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted
from tdtsql.metric.fingerprint import digest
from tdtsql.store.definitions import installed_key
from tdtsql.store.cache import cache_folder, keep_newest
from tdtsql.version import __version__

Fill = Callable[[str], None]

#: empty stores in the cache folder: several installations and engines may share it
LIMIT = 16


def template(fill: Fill) -> Path | None:
    """Return the file of an empty store, made by ``fill(path)`` if it is not there; None without a cache folder."""
    package = sorted(Path(__file__).parents[1].glob("store/*.py"))
    import duckdb

    key = digest([installed_key(), __version__, duckdb.__version__, *(path.read_text(encoding="utf-8") for path in package)])
    folder = cache_folder()
    path = folder / f"empty-{key[:16]}.duckdb"
    try:
        if not path.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder) as made:
                fresh = Path(made) / "empty.duckdb"
                fill(str(fresh))
                os.replace(fresh, path)  # another process may have made the same one meanwhile
            keep_newest(folder, "empty-*.duckdb", LIMIT)
    except OSError:
        return None
    return path


def copy_into_file(source: Path, path: str) -> None:
    """Make ``path``, which must not be there, an empty store."""
    folder = Path(path).resolve().parent
    with tempfile.TemporaryDirectory(dir=folder) as made:
        copy = Path(made) / "store.duckdb"
        shutil.copyfile(source, copy)
        os.link(copy, path)  # unlike a rename, fails where somebody else made the file meanwhile


def copy_into_memory(source: Path, engine: Engine) -> None:
    """Make an empty database in memory an empty store."""
    engine.execute(f"attach {quoted(source)} as empty_store (read_only)")
    engine.execute("copy from database empty_store to memory")
    engine.execute("detach empty_store")
