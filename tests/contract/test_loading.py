"""A run is loaded in one way: one function stores it whatever its task and format, a task's module only reads."""

import pytest

import tdtsql
from tdtsql.errors import InvalidInput
from tdtsql.load.tasks import readers_of, run_formats
from tdtsql.task import TASKS, formats_of
from places import PACKAGE

LOAD = PACKAGE / "load"
TASK_MODULES = sorted(path for path in (LOAD / "tasks").glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS.keys())
def test_a_task_has_a_module_with_its_plan_and_its_formats(task):
    found, formats_ = readers_of(task.name), run_formats(task.name)

    assert found.readers == f"tdtsql.load.tasks.{task.name}" and callable(found.read_plan)
    assert formats_of(task.name) == (*(name for name in formats_ if name != "frame"),)
    assert formats_.get("frame") is formats_.get("tidy")
    for run_format in formats_.values():
        assert run_format.named_by and callable(run_format.read)


def test_every_module_of_a_task_is_of_a_task():
    assert {path.stem for path in TASK_MODULES} == {*TASKS}


def test_columns_for_a_task_that_takes_none_are_refused(example_copy):
    with tdtsql.connect(example_copy) as store:
        for task in ("hierarchy", "value_tracking"):
            [[condition]] = store.sql(
                f"select min(condition_id) from registry.condition where task = '{task}'"
            ).fetchall()
            with pytest.raises(
                InvalidInput,
                match=f"E709 a run of task {task} cannot be given as columns, expected {formats_of(task)[0]}",
            ):
                store.add_run("mine", condition=condition, decisions={"topic_id": ["1"]})
