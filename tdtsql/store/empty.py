"""The empty store that ships with the package: every new store is a copy of it (`tdtsql.store.build.empty_store` makes
it).
"""

import lzma
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted_path
from tdtsql.metric.catalog import COMPILED

STORE, DESCRIPTION = COMPILED / "empty.duckdb.xz", COMPILED / "empty.json"


@contextmanager
def unpacked(folder: Path | None = None) -> Iterator[Path]:
    """Yield a copy of the empty store in a temporary folder (below ``folder``), which is removed afterwards."""
    with tempfile.TemporaryDirectory(dir=folder) as made:
        path = Path(made) / "empty.duckdb"
        path.write_bytes(lzma.decompress(STORE.read_bytes()))
        yield path


def copy_into_file(path: str) -> None:
    """Make ``path``, which must not exist, an empty store.

    Raises:
        FileExistsError: another process made the file meanwhile.
        OSError: it cannot be made.
    """
    with unpacked(Path(path).resolve().parent) as copy:
        os.link(copy, path)  # unlike a rename, fails where the file exists


def copy_into_memory(engine: Engine) -> None:
    """Make an empty database in memory an empty store."""
    with unpacked() as path:
        engine.execute(f"attach {quoted_path(path)} as empty_store (read_only)")
        engine.execute("copy from database empty_store to memory")
        engine.execute("detach empty_store")
