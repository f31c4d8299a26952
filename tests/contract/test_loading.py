"""A run is loaded in one way: one function stores it whatever its task and format, a task's module only reads."""

import ast
import re
from pathlib import Path

import pytest
from syntax import nodes

import tdtsql
from tdtsql.errors import InvalidInput
from tdtsql.reader.bundle import formats
from tdtsql.loading.tasks import readers_of, run_formats
from tdtsql.task import TASKS

LOADING = Path(__file__).resolve().parents[2] / "tdtsql" / "loading"
TASK_MODULES = sorted(path for path in (LOADING / "tasks").glob("*.py") if path.stem != "__init__")
#: no functions of a task, but of what names of files say, and of columns given in Python
MAY_NAME_A_FORMAT = {"recognised_format", "run_formats"}


def _functions(path):
    return [node for node in nodes(path) if isinstance(node, ast.FunctionDef)]


def _asks(node):
    """Return the names that a condition, a comparison or a match asks about."""
    tests = [inner.test for inner in ast.walk(node) if isinstance(inner, ast.If | ast.IfExp | ast.While)]
    tests += [inner for inner in ast.walk(node) if isinstance(inner, ast.Compare)] + [
        inner.subject for inner in ast.walk(node) if isinstance(inner, ast.Match)
    ]
    return {
        getattr(name, "attr", None) or getattr(name, "id", None)
        for test in tests
        for name in ast.walk(test)
        if isinstance(name, ast.Name | ast.Attribute)
    }


@pytest.mark.parametrize("name", ["run.py", "bundle.py", "tasks/__init__.py", "../load/plan.py"])
def test_what_stores_runs_has_no_branch_on_task_or_format(name):
    functions = _functions(LOADING / name)

    assert functions
    for function in functions:
        texts = {
            inner.value
            for inner in ast.walk(function)
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
        }
        assert not texts & TASKS.keys(), f"{name}:{function.lineno}: {function.name} names a task"
        if function.name not in MAY_NAME_A_FORMAT:
            assert not texts & set(formats()), f"{name}:{function.lineno}: {function.name} names a format"
        assert not _asks(function) & {"task", "format", "format_", "form"}, (
            f"{name}:{function.lineno}: {function.name} branches on a task or a format"
        )


def test_one_function_stores_runs():
    assert "store_runs" in {function.name for function in _functions(LOADING / "run.py")}
    for path in LOADING.rglob("*.py"):
        writes = re.findall(r"(?:insert|next_number)\([^)]*[\"']registry\.run[\"']", path.read_text(encoding="utf-8"))
        # second judgments copy runs that were loaded
        assert not writes or path.name in ("run.py", "second_judgments.py"), (
            f"{path.name}: only run.py numbers and registers runs"
        )


@pytest.mark.parametrize("path", TASK_MODULES, ids=lambda path: path.stem)
def test_the_module_of_a_task_never_writes_the_registry(path):
    text = path.read_text(encoding="utf-8")

    assert not re.search(
        r"insert\([\"']registry\.|(?:insert into|update|delete from) registry\.|store import registry", text
    )


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS.keys())
def test_a_task_has_a_module_with_its_plan_and_its_formats(task):
    found, formats_ = readers_of(task.name), run_formats(task.name)

    assert found.readers == f"tdtsql.loading.tasks.{task.name}" and callable(found.read_plan)
    assert set(task.formats) == formats_.keys() - {"frame"}
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
                match=f"E709 a run of task {task} cannot be given as columns. Give a file in format "
                f"{TASKS[task].official_format}",
            ):
                store.add_run("mine", condition=condition, decisions={"topic_id": ["1"]})
