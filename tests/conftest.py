"""Fixtures that all tests share."""

import fcntl
import os
import shutil
from collections import Counter
from pathlib import Path

import pytest
from fast_lane import is_slow
from golden_store import write_golden_store
from hypothesis import settings

import tdtsql

# the same examples in every run, and no test that fails because a machine is busy
settings.register_profile("tdtsql", deadline=None, derandomize=True)
settings.load_profile("tdtsql")

# processes that tests start read what the first of them compiled, as from an installed package
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

#: the checkout's root
ROOT = Path(__file__).resolve().parent.parent


#: seconds of the processor, all cases of a test function and the fixtures of its file together, above which it is slow
LIMIT = 0.5
_own, _shared = Counter(), Counter()  #: seconds by test function; by file, the largest set-up


def pytest_addoption(parser):
    parser.addoption(
        "--costs",
        metavar="FILE",
        help="write what each test function takes of the processor, if more than half a second; for tests/slow.txt",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark what is slow: what tests/slow.txt names, and all that starts another engine or a browser."""
    for item in items:
        if is_slow(item.nodeid) or any(item.iter_markers("engine")) or any(item.iter_markers("browser")):
            item.add_marker(pytest.mark.slow)


def _seconds() -> float:
    """Return the seconds of the processor that this process and its children have taken."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    began = _seconds()
    result = yield
    _shared[item.location[0]] = max(_shared[item.location[0]], _seconds() - began)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    began = _seconds()
    try:
        return (yield)
    finally:
        _own[item.nodeid.split("[")[0]] += _seconds() - began


def pytest_sessionfinish(session):
    """Write what each test function took: a worker to a file of its own, and the first process, which ends last, all to
    the file that was asked for.
    """
    if not (asked := session.config.getoption("--costs")):
        return
    path = Path(asked)
    lines = [f"{seconds + _shared[name.split('::')[0]]:8.1f}  {name}\n" for name, seconds in _own.items()]
    if hasattr(session.config, "workerinput"):
        path.with_name(f"{path.name}.{session.config.workerinput['workerid']}").write_text(
            "".join(lines), encoding="utf-8"
        )
        return
    for part in path.parent.glob(f"{path.name}.gw*"):
        lines += part.read_text(encoding="utf-8").splitlines(keepends=True)
        part.unlink()
    kept = sorted((line for line in lines if float(line.split()[0]) > LIMIT), key=lambda line: line.split()[1])
    path.write_text(
        "# seconds of the processor; written by: python -m pytest --costs tests/slow.txt\n" + "".join(kept),
        encoding="utf-8",
    )


@pytest.fixture(autouse=True)
def _leaves_no_store_in_the_checkout():
    """Fail a test that opens `tdtsql.duckdb` of the working folder: the next run of the tests, maybe by another engine,
    would find it there.
    """

    def written() -> int | None:
        return store.stat().st_mtime_ns if store.exists() else None

    store = ROOT / "tdtsql.duckdb"
    before = written()
    yield
    assert written() == before, f"{store} was written: give the store another name"


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
    """Return the folder ``name`` that ``write(folder)`` fills: made by the first worker of a test run that asks, shared
    by all.
    """
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


@pytest.fixture(scope="module")
def example_copy(example_store, tmp_path_factory) -> Path:
    """Return a copy of that store for the tests of one file, which may change it."""
    return Path(shutil.copy(example_store, tmp_path_factory.mktemp("example")))
