"""Fixtures that all tests share."""

import fcntl
import gc
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import lanes
import pytest
from golden_store import write_golden_store
from hypothesis import settings
from loads import unscored_loads
from new_stores import made_quickly
from places import BAGGA, ROOT

import tdtsql

# the same examples in every run, and no test that fails because a machine is busy
settings.register_profile("tdtsql", deadline=None, derandomize=True)
settings.load_profile("tdtsql")

# processes that tests start read what the first of them compiled, as from an installed package; and the next run what
# this one compiled, assertions rewritten (half of the collection)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

_own, _setup = (
    Counter(),
    Counter(),
)  #: processor seconds by test function: its calls; set-up and teardown that it caused


def pytest_addoption(parser):
    parser.addoption("--costs", metavar="FILE", help="write the processor seconds of each test function to FILE")


def pytest_configure(config):
    lanes.select(config.option.markexpr or "")
    if hasattr(config, "workerinput") and not lanes.is_full():
        # a worker for each core: engines with more threads than that wait for each other, an eighth of the time.
        # Shared stores and golden numbers are computed with several threads (`several_threads`)
        os.environ.setdefault("TDTSQL_THREADS", "1")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    lanes.mark(items)


def pytest_collection_finish():
    gc.freeze()  # else each full collection looks through thousands of tests
    gc.set_threshold(100_000, 20, 20)  # as cli.main


def _count(item, costs: Counter, began: float) -> None:
    costs[item.nodeid.split("[")[0]] += sum(os.times()[:4]) - began  # of this process and its children


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    began = sum(os.times()[:4])
    try:
        return (yield)
    finally:
        _count(item, _setup, began)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    began = sum(os.times()[:4])
    try:
        return (yield)
    finally:
        _count(item, _own, began)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    began = sum(os.times()[:4])
    try:
        return (yield)
    finally:
        _count(item, _setup, began)


def pytest_sessionfinish(session):
    """Write what each test function took: each worker to a file of its own, which the first process joins."""
    if not (asked := session.config.getoption("--costs")):
        return
    path = Path(asked)
    if hasattr(session.config, "workerinput"):
        path = path.with_name(f"{path.name}.{session.config.workerinput['workerid']}")
    for part in path.parent.glob(f"{path.name}.gw*"):
        for line in part.read_text(encoding="utf-8").splitlines()[2:]:
            own, setup, name = line.split(maxsplit=2)
            _own[name] += float(own)
            _setup[name] += float(setup)
        part.unlink()
    names = sorted(_own | _setup, key=lambda name: (-_own[name] - _setup[name], name))
    total = f"# {_own.total():.0f} s in tests, {_setup.total():.0f} s in their set-up and teardown\n#    own  set-up\n"
    rows = [f"{_own[name]:8.2f}{_setup[name]:8.2f}  {name}\n" for name in names]
    path.write_text(total + "".join(rows), encoding="utf-8")


@pytest.fixture(scope="session", autouse=True)
def _new_stores_are_made_quickly():
    with pytest.MonkeyPatch.context() as patch:
        made_quickly(patch)
        yield


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


@pytest.fixture(scope="module", autouse=True)
def _golden_numbers_are_computed_by_several_threads(request):
    with several_threads() if request.path.parent.name == "golden" else nullcontext():
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with other people's numbers; skip where it is absent.

    It lies beside the checkout (``../shared``) unless ``TDTSQL_SHARED`` names it.
    """
    folder = Path(os.environ.get("TDTSQL_SHARED") or ROOT.parent / "shared")
    if not (folder / "golden").is_dir():
        pytest.skip(f"no golden numbers: {folder / 'golden'} is not there (TDTSQL_SHARED names another place)")
    return folder


@contextmanager
def several_threads() -> Iterator[None]:
    """Let engines that are opened meanwhile compute by two connections, as on users' machines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TDTSQL_THREADS", "2")
        yield


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
            with several_threads():
                write(unfinished)
            unfinished.rename(folder)
    return folder


@pytest.fixture(scope="session")
def made_once(tmp_path_factory) -> Callable[[str, Callable[[Path], object]], Path]:
    """Return `once` for the folders of this test run."""
    return lambda name, write: once(tmp_path_factory, name, write)


@pytest.fixture(scope="session")
def golden_loaded(shared, tmp_path_factory) -> Path:
    """Return the store of all golden cases, loaded and not scored; not to be changed."""
    return once(tmp_path_factory, "golden-loaded", lambda folder: write_golden_store(shared, folder)) / "golden.duckdb"


@pytest.fixture(scope="session")
def evaluated_once(tmp_path_factory) -> Callable[[Path], Path]:
    """Return a function: the store of a bundle below fixtures/ with its numbers; not to be changed, copied by whoever
    changes it.
    """

    def store_of(bundle: Path) -> Path:
        def evaluate(folder: Path) -> None:
            with tdtsql.evaluate(bundle, folder / "store.duckdb") as store:
                store.refresh()  # the first file that asks for it may be one with `unscored`

        name = "-".join(bundle.parent.relative_to(ROOT / "fixtures").parts)
        return once(tmp_path_factory, f"store-{name}", evaluate) / "store.duckdb"

    return store_of


@pytest.fixture(scope="session")
def example_store(tmp_path_factory) -> Path:
    """Return a store of the bundled example with its numbers, that of the recorded outputs; not to be changed, copied
    by whoever changes it.
    """
    from record import write_store

    return once(tmp_path_factory, "outputs-example", lambda folder: write_store("example", folder)) / "example.duckdb"


@pytest.fixture(scope="module")
def copy_of(evaluated_once, tmp_path_factory) -> Callable[[Path], Path]:
    """Return a function: a copy of the store of a bundle below fixtures/, for the tests of one file."""
    return lambda bundle: Path(shutil.copy(evaluated_once(bundle), tmp_path_factory.mktemp("copy")))


@pytest.fixture(scope="module")
def example_copy(example_store, tmp_path_factory) -> Path:
    """Return a copy of that store for the tests of one file, which may change it."""
    return Path(shutil.copy(example_store, tmp_path_factory.mktemp("example")))


@pytest.fixture(scope="module")
def example(example_store) -> Iterator[tdtsql.Store]:
    """Return that store, open to be read."""
    with tdtsql.connect(example_store, read_only=True) as store:
        yield store


@pytest.fixture(scope="module")
def own_example(example_copy) -> Iterator[tdtsql.Store]:
    """Return an open copy of it for the tests of one file, which may change it."""
    with tdtsql.connect(example_copy) as store:
        yield store


@pytest.fixture(scope="session")
def bagga(evaluated_once) -> Path:
    """Return the store of Bagga's examples; not to be changed."""
    return evaluated_once(BAGGA)


@pytest.fixture
def bagga_copy(bagga, tmp_path) -> Path:
    """Return a copy of it, which a test may change."""
    return Path(shutil.copy(bagga, tmp_path / "store.duckdb"))


@pytest.fixture(scope="module")
def unscored():
    """Let loads of this file compute no numbers.

    For files about loading: ``pytestmark = pytest.mark.usefixtures("unscored")``.
    """
    with unscored_loads():
        yield
