"""Fixtures that all tests share."""

import fcntl
import os
from pathlib import Path

import pytest
from golden_store import write_golden_store
from hypothesis import settings

# the same examples in every run, and no test that fails because a machine is busy
settings.register_profile("tdtsql", deadline=None, derandomize=True)
settings.load_profile("tdtsql")

#: the checkout's root
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with other people's numbers; skip where it is absent.

    It lies beside the checkout (``../shared``) unless ``TDTSQL_SHARED`` names it.
    """
    folder = Path(os.environ.get("TDTSQL_SHARED") or ROOT.parent / "shared")
    if not (folder / "golden").is_dir():
        pytest.skip(f"no golden numbers: {folder / 'golden'} is not there (TDTSQL_SHARED names another place)")
    return folder


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
