"""Fixtures that all tests share."""

import fcntl
import os
import shutil
from pathlib import Path

import pytest
from golden_store import write_golden_store
from hypothesis import settings

import tdtsql

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


def once(tmp_path_factory, name: str, write) -> Path:
    """Return the folder ``name`` that ``write(folder)`` fills: made by the first worker of a test run that asks, shared by all."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if base.name.startswith("popen-") else base) / name
    with (folder.parent / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = folder.with_name(f"{name}.unfinished")
            unfinished.mkdir()
            write(unfinished)
            unfinished.rename(folder)
    return folder


@pytest.fixture(scope="session")
def golden_loaded(shared, tmp_path_factory) -> Path:
    """Return the store of all golden cases, loaded and not scored; not to be changed."""
    return once(tmp_path_factory, "golden-loaded", lambda folder: write_golden_store(shared, folder)) / "golden.duckdb"


@pytest.fixture(scope="session")
def golden_file(golden_loaded, tmp_path_factory) -> Path:
    """Return the same store with its numbers; not to be changed."""

    def score(folder: Path) -> None:
        with tdtsql.connect(shutil.copy(golden_loaded, folder)) as store:
            store.refresh()

    return once(tmp_path_factory, "golden-scored", score) / "golden.duckdb"


@pytest.fixture(scope="session")
def example_store(tmp_path_factory) -> Path:
    """Return a store of the bundled example with its numbers; not to be changed, copied by whoever changes it."""

    def evaluate(folder: Path) -> None:
        tdtsql.evaluate(ROOT / "fixtures" / "example" / "bundle.toml", folder / "example.duckdb").close()

    return once(tmp_path_factory, "example-store", evaluate) / "example.duckdb"
