"""The golden store, made once for all engines."""

import fcntl
from pathlib import Path

import pytest

from golden_store import write_golden_store


@pytest.fixture(scope="session")
def golden_file(shared, tmp_path_factory) -> Path:
    """Return the store of all golden cases; workers of one test run share it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if base.name.startswith("popen-") else base) / "golden-store"
    with (folder.parent / "golden-store.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = folder / "golden.duckdb"
        if not path.exists():
            folder.mkdir()
            made = write_golden_store(shared, folder)
            assert made == path
    return path


@pytest.fixture
def golden_copy(golden_file, tmp_path) -> Path:
    """Return a copy of that store, to be changed."""
    copy = tmp_path / "golden.duckdb"
    copy.write_bytes(golden_file.read_bytes())
    return copy
