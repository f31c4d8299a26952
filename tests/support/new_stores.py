"""Stores at a fraction of their time: half of what a small test of a load takes is the making of its store, and half of
what a command takes is the opening of it.

The package copies the empty store into memory object by object, binding every view, and writes the profiles into it
each time. During tests, a new store is a copy of one that a process has completed once; a store in memory is a separate
file, which is deleted with its engine. A file whose bytes this process has compared with their definitions, or that it
has written since, is not compared again. `tests/store/test_memory.py` tests the package's own behaviour, for which
`as_the_package` restores it.
"""

import functools
import getpass
import hashlib
import lzma
import os
import shutil
import socket
import tempfile
import weakref
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions import empty, sets
from tdtsql.store import opening

_FAST = Path("/dev/shm")  #: where files are in memory
_copy_into_file, _copy_into_memory = opening.copy_into_file, opening.copy_into_memory
_check_store = opening.check_store


def as_the_package(patch: pytest.MonkeyPatch) -> None:
    """Make new stores as the package does, until ``patch`` is undone."""
    patch.setattr(opening, "copy_into_file", _copy_into_file)
    patch.setattr(opening, "copy_into_memory", _copy_into_memory)
    patch.setattr(opening, "check_store", _check_store)


def made_quickly(patch: pytest.MonkeyPatch) -> None:
    """Make new stores as said above, until ``patch`` is undone."""
    completed: dict[tuple[str, ...], bytes] = {}  #: key of the definitions, user, machine -> a file

    def write_new(path: Path) -> None:
        """Write the file of a new store; without profiles where those of a package, or of an author, belong to it."""
        key = (opening.installed_key(), getpass.getuser(), socket.gethostname())
        if sets.IN_USE or os.environ.get("TDTSQL_BY"):
            path.write_bytes(decompress(empty.STORE.read_bytes()))
            return
        if key not in completed:
            path.write_bytes(decompress(empty.STORE.read_bytes()))
            opening.open_file(str(path)).close()
            completed[key] = path.read_bytes()
        path.write_bytes(completed[key])

    def copy_into_file(path: str) -> None:
        with tempfile.TemporaryDirectory(dir=Path(path).resolve().parent) as folder:
            made = Path(folder, "empty.duckdb")
            write_new(made)
            os.link(made, path)

    def copy_into_memory(engine: Engine) -> None:
        if type(engine) is not Engine:
            _copy_into_memory(engine)
            return
        folder = tempfile.mkdtemp(prefix="tdtsql-test-", dir=_FAST if _FAST.is_dir() else None)
        weakref.finalize(engine, shutil.rmtree, folder, ignore_errors=True)
        path = Path(folder) / "memory.duckdb"  # a database has the name of its file, and in memory this one
        write_new(path)
        config = {
            name: engine.connection.execute(f"select current_setting('{name}')").fetchone()[0]
            for name in ("memory_limit", "threads", *_SETTINGS)
        }
        disabled = engine.connection.execute("select current_setting('disabled_optimizers')").fetchone()[0]
        engine.connection.close()
        engine.connection = duckdb.connect(path, config=config)
        engine.connection.execute(f"set disabled_optimizers = '{disabled}'")
        engine.connection.execute("pragma disable_checkpoint_on_shutdown")

    written: dict[int, Path] = {}
    close_engine = Engine.close

    def check_store(engine: Engine, there=None, *, thorough: bool = False) -> None:
        """Compare a store with its definitions, unless a file of these bytes was found sound."""
        path = Path(engine.path)
        if thorough or type(engine) is not Engine or sets.IN_USE or path.with_name(f"{path.name}.wal").exists():
            _check_store(engine, there, thorough=thorough)
            return
        kind = opening.installed_key(), engine.read_only
        if unchanged(kind, path) not in sound:
            content = kind, hashlib.sha256(path.read_bytes()).digest()
            if content not in sound:
                _check_store(engine, there)
            sound.update((unchanged(kind, path), content))
        if not engine.read_only:
            written[id(engine)] = path
        opening.use_recorded(engine)

    def close(engine: Engine) -> None:
        """Close an engine; its cursors, which are copies of it, have another identity."""
        close_engine(engine)
        if path := written.pop(id(engine), None):
            remember(path)

    def remember(path: Path) -> None:
        """Take the file that an engine closed for sound, as that engine found it when it was opened."""
        if path.exists() and not path.with_name(f"{path.name}.wal").exists():
            sound.update(unchanged((opening.installed_key(), read_only), path) for read_only in (True, False))

    def unchanged(kind: tuple, path: Path) -> tuple:
        file = path.stat()
        return kind, file.st_ino, file.st_size, file.st_mtime_ns

    sound: set[tuple] = set()
    decompress = functools.cache(lzma.decompress)
    patch.setattr(empty, "lzma", SimpleNamespace(decompress=decompress))
    patch.setattr(opening, "copy_into_file", copy_into_file)
    patch.setattr(opening, "copy_into_memory", copy_into_memory)
    patch.setattr(opening, "check_store", check_store)
    patch.setattr(Engine, "close", close)


#: settings of an engine that only its making takes
_SETTINGS = ("autoinstall_known_extensions", "autoload_known_extensions", "python_enable_replacements")
