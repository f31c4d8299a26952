"""What other engines get says what the author wrote: every view in plain and in strict form over all golden cases, bit
for bit.
"""

from collections.abc import Mapping

import pytest

import tdtsql

from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import catalog, computed, reading
from tdtsql.build.lower import lowered_tree
from tdtsql.task import TASKS
from tdtsql.load.bundle import evaluate_into
from tdtsql.scoring.kernels import KERNELS
from tdtsql.scoring.scope import Scope, sql_list
from partition_case import bundle_of


@pytest.fixture(scope="module")
def clusterings(shared, tmp_path_factory):
    """A store of the golden clusterings, not scored."""
    folder = tmp_path_factory.mktemp("clusterings")
    with tdtsql.connect(folder / "store.duckdb") as store:
        evaluate_into(store.engine, bundle_of(shared / "golden" / "partition", folder)[0], score=False)
    return folder / "store.duckdb"


@pytest.fixture(scope="module")
def strict_forms() -> Mapping[str, str]:
    """The strict form of every view as DuckDB gets it."""
    return {name: lowered_tree(relation).sql("duckdb") for name, relation in catalog().items()}


@pytest.mark.full
@pytest.mark.parametrize("task", TASKS)
def test_plain_and_strict_form_give_the_same_rows(request, task, strict_forms):
    engine = Engine(
        str(request.getfixturevalue("clusterings" if task == "partition" else "golden_loaded")), read_only=True
    )
    runs = engine.rows(
        f"select run_no, condition_no from registry.run join registry.condition using (condition_no) where task = "
        f"'{task}' order by run_no"
    )
    run_nos, condition_nos = [row[0] for row in runs], sorted({row[1] for row in runs})
    profile_nos = [
        row[0]
        for row in engine.rows(
            f"select distinct profile_no from registry.condition_profile where condition_no in "
            f"({sql_list(condition_nos)})"
        )
    ]
    names = computed(task)
    scope = Scope(engine, condition_nos, run_nos, profile_nos)
    try:
        scope.build(names)
        n_row = 0
        for name in names:
            engine.execute(f"create or replace temp table strict_form as {reading(strict_forms[name], scope.names)}")
            # of what the engine computes otherwise the definitions are held against each other
            plain = f"({catalog()[name].reading(scope.names)})" if name in KERNELS else scope.relation(name)
            if plain.startswith("("):  # computed once, not by each of the two questions
                engine.execute(f"create or replace temp table plain_form as {plain[1:-1]}")
                plain = "plain_form"
            [[n_plain, n_strict, n_missing]] = engine.rows(
                f"select (select count(*) from {plain}), (select count(*) from strict_form), "
                f"(select count(*) from (select * from {plain} except all select * from strict_form))"
            )
            assert (n_strict, n_missing) == (n_plain, 0), name
            n_row += n_plain
        assert n_row > 0
    finally:
        scope.close()
        engine.close()
