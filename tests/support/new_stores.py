"""New stores in memory, at a fifth of their time: half of what a small test of a load takes is the making of its store.

The package copies the empty store into memory object by object, binding every view, and holds it against the installed
definitions each time. During tests, a store in memory is instead a separate file, a copy of the unpacked empty store,
which is deleted with its engine, and a process compares the definitions once. Files of stores are created as the
package creates them. `tests/store/test_memory.py` tests the package's own behaviour.
"""

import functools
import lzma
import shutil
import tempfile
import weakref
from pathlib import Path
from types import SimpleNamespace

import duckdb
import pytest

from tdtsql.engine.duckdb import Engine
from tdtsql.store import definitions, empty, opening

copy_as_the_package, _check = opening.copy_into_memory, opening.check_store
_FAST = Path("/dev/shm")  #: where files are in memory


def made_quickly(patch: pytest.MonkeyPatch) -> None:
    """Make new stores in memory as said above, until ``patch`` is undone."""
    checked = set()

    def copy_into_memory(engine: Engine) -> None:
        if type(engine) is not Engine:
            copy_as_the_package(engine)
            return
        folder = tempfile.mkdtemp(prefix="tdtsql-test-", dir=_FAST if _FAST.is_dir() else None)
        weakref.finalize(engine, shutil.rmtree, folder, ignore_errors=True)
        path = Path(folder) / "memory.duckdb"  # a database has the name of its file, and in memory this one
        path.write_bytes(decompress(empty.STORE.read_bytes()))
        config = {
            name: engine.connection.execute(f"select current_setting('{name}')").fetchone()[0]
            for name in ("memory_limit", "threads", *_SETTINGS)
        }
        disabled = engine.connection.execute("select current_setting('disabled_optimizers')").fetchone()[0]
        engine.connection.close()
        engine.connection = duckdb.connect(path, config=config)
        engine.connection.execute(f"set disabled_optimizers = '{disabled}'")
        engine.connection.execute("pragma disable_checkpoint_on_shutdown")

    def check_store(engine: Engine, **how) -> None:
        key = definitions.installed_key()
        if type(engine) is Engine and engine.path == ":memory:" and key in checked:
            return
        _check(engine, **how)
        checked.add(key)

    decompress = functools.cache(lzma.decompress)
    patch.setattr(empty, "lzma", SimpleNamespace(decompress=decompress))
    patch.setattr(opening, "copy_into_memory", copy_into_memory)
    patch.setattr(opening, "check_store", check_store)


#: settings of an engine that only its making takes
_SETTINGS = ("autoinstall_known_extensions", "autoload_known_extensions", "python_enable_replacements")
