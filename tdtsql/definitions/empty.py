"""The empty store that ships with the package: every new store is a copy of it (written by
`tdtsql.store.build.empty_store`).
"""

import lzma
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import quoted_path
from tdtsql.definitions.catalogue import COMPILED
from tdtsql.output_file import unfinished_folder

STORE, DESCRIPTION = COMPILED / "empty.duckdb.xz", COMPILED / "empty.json"


@contextmanager
def unpacked(target: Path | None = None) -> Iterator[Path]:
    """Yield a copy of the empty store in a temporary folder (next to ``target``), which is removed afterwards."""
    with tempfile.TemporaryDirectory() if target is None else unfinished_folder(target) as made:
        path = Path(made) / "empty.duckdb"
        path.write_bytes(lzma.decompress(STORE.read_bytes()))
        yield path


def copy_into_file(path: str) -> None:
    """Create an empty store at ``path``, which must not exist.

    Raises:
        FileExistsError: another process created the file meanwhile.
        OSError: it cannot be created.
    """
    with unpacked(Path(path).resolve()) as copy:
        os.link(copy, path)  # unlike a rename, fails where the file exists


def copy_into_memory(engine: Engine) -> None:
    """Copy the empty store into an empty database in memory."""
    with unpacked() as path:
        engine.execute(f"attach {quoted_path(path)} as empty_store (read_only)")
        engine.execute("copy from database empty_store to memory")
        engine.execute("detach empty_store")
