"""Adapters for engines of the test matrix behind a local copy, and the comparison that all of them must pass."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import catalog
from tdtsql.definitions.table import tables
from tdtsql.definitions.published import computed
from tdtsql.task import TASKS
from inside import sql_list, open_scope, same, Scope, LocalCopy

#: tasks with cases in the golden store; clusterings and scored trials have stores of their own
GOLDEN_TASKS = [task for task in TASKS if task not in ("partition", "verification")]
#: the same, the first of them a smoke test
SMOKE_TASKS = [pytest.param(GOLDEN_TASKS[0], marks=pytest.mark.smoke), *GOLDEN_TASKS[1:]]

#: schemas that views read
SCHEMAS = ("registry", "staging", "base")


def parquet_tables(engine: Engine, folder: Path):
    """Yield (name, table, Parquet file) of every table that a view may read."""
    for name, table in tables().items():
        if name.split(".")[0] in SCHEMAS:
            path = folder / f"{name}.parquet"
            engine.execute(f"copy {name} to '{path}' (format parquet)")
            yield name, table, path


@contextmanager
def golden_copy(golden_file: Path, folder: Path, behind) -> Iterator[LocalCopy]:
    """Give an engine (`tdtsql.engine.remote`, with a ``load``) the tables of the golden store, and a local copy in
    front of it.
    """
    copy = folder / "golden.duckdb"
    copy.write_bytes(golden_file.read_bytes())
    engine = LocalCopy(behind, str(copy))
    try:
        behind.load(engine)
        yield engine
    finally:
        engine.close()


def assert_same_views(engine: Engine, task: str, *, known: dict[str, str] | None = None) -> None:
    """See `differing_views`."""
    found, n_row = differing_views(engine, task, known=known)
    assert not found, "\n".join(found)
    assert n_row > 0


def differing_views(engine: Engine, task: str, *, known: dict[str, str] | None = None) -> tuple[list[str], int]:
    """Compute every view of a task over all runs here and behind the local copy.

    Views of class exact must be bitwise identical, those of class libm differ by at most
    ``recompute.LIBM_ULP`` units in the last place.

    Args:
        engine: a local copy that also has all decisions.
        task: the task.
        known: view -> reason, of views of class libm that are known to be further off there: they must
            still be, by more than that and by less than one part in 10^12.

    Returns:
        What differs, one line each, and how many rows were compared.
    """
    known = known or {}
    runs = engine.rows(
        f"select run.run_no, run.condition_no from registry.run as run join registry.condition as condition "
        f"on condition.condition_no = run.condition_no where condition.task = '{task}' order by run.run_no"
    )
    run_nos, condition_nos = [row[0] for row in runs], sorted({row[1] for row in runs})
    profile_nos = [
        row[0]
        for row in engine.rows(
            f"select distinct profile_no from registry.condition_profile where condition_no in "
            f"({sql_list(condition_nos)}) order by 1"
        )
    ]
    here = Scope(engine, condition_nos, run_nos, profile_nos)
    there = open_scope(engine, condition_nos, run_nos, profile_nos)
    found, n_row = [], 0
    try:
        here.build(computed(task))
        there.build(computed(task))
        for name in computed(task):
            is_exact = catalog()[name].header.is_exact
            problem, count = _compare(
                engine, here.relation(name), there.relation(name), None if is_exact else _few_units
            )
            n_row += count
            if name in known and count:
                problem = (
                    f"is right now, and is declared wrong because {known[name]}"
                    if not problem
                    else _compare(engine, here.relation(name), there.relation(name), _to_twelve_digits)[0]
                )
            if problem:
                found.append(f"{task}: {name}: {problem}")
    finally:
        there.close()
        here.close()
    return found, n_row


def _compare(engine: Engine, ours: str, theirs: str, near: Callable[[float, float], bool] | None) -> tuple[str, int]:
    """Return what differs ("" for nothing) and how many rows there are here; ``near`` says which doubles count as
    equal.
    """
    [n_ours], [n_theirs] = (engine.rows(f"select count(*) from {name}")[0] for name in (ours, theirs))
    if n_ours != n_theirs:
        return f"{n_theirs} rows, {n_ours} here", n_ours
    [missing] = engine.rows(f"select count(*) from (select * from {ours} except all select * from {theirs})")[0]
    if missing and near:
        pairs = zip(*(engine.rows(f"select * from {name} order by all") for name in (ours, theirs)), strict=True)
        missing = sum(
            not all(
                a == b or (isinstance(a, float) and isinstance(b, float) and near(a, b))
                for a, b in zip(*pair, strict=True)
            )
            for pair in pairs
        )
    return (f"{missing} of {n_ours} rows differ" if missing else ""), n_ours


def _few_units(ours: float, theirs: float) -> bool:
    return same(ours, theirs, exact=False)


def _to_twelve_digits(ours: float, theirs: float) -> bool:
    return math.isclose(ours, theirs, rel_tol=1e-12)
