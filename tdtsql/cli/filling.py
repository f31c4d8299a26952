"""A store for commands that load: a store created for a refused load is removed."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdtsql.api import Store


@contextmanager
def store_to_fill(db: str, *, trace: bool) -> Iterator["Store"]:
    """Open a store, or create it if it does not exist; a new store without data is removed when the command
    fails.

    Raises:
        TdtsqlError: as ``connect``, and errors raised inside.
    """
    from tdtsql.api import connect

    is_new = db != ":memory:" and not Path(db).exists()
    is_empty = False
    try:
        with connect(db, create=True, trace=trace) as store:
            try:
                yield store
            except BaseException:
                with suppress(Exception):  # a store that cannot be queried stays
                    is_empty = is_new and not store.engine.value("select count(*) from registry.corpus")
                raise
    finally:
        if is_empty:
            for name in (db, f"{db}.wal"):  # a full disk leaves its log
                Path(name).unlink(missing_ok=True)
