"""What a task is stands in one row: its facts agree with the views and the tables, and its name stands nowhere else in
the package.
"""

import ast
import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from syntax import nodes
from each import of_each

import tdtsql
from tdtsql.build import compile as definitions
from tdtsql.engine.duckdb import Engine
from tdtsql.definitions.catalogue import catalog, newest, published, sql_root
from tdtsql.definitions.table import tables
from tdtsql.load.settings import KINDS
from tdtsql.tasks.declaration import KEY_KINDS, WRITTEN_AS
from tdtsql.task import TASKS, WEIGHTING, task_list_sql, tasks_with
from tdtsql.files.checks import select
from tdtsql.tasks.declaration import Required
from places import PACKAGE


#: where the names of tasks may stand
MAY_NAME_TASKS = ("tasks/", "load/")
#: the same words with another meaning: a command, an element of HTML, a check of the chain
ANOTHER_MEANING = {("store/ledger.py", "link")}

_QUOTED = re.compile(rf"'({'|'.join(TASKS)})'")


def _named(path: Path) -> list[tuple[int, str]]:
    """Return (line, task) of every text of a file that is the name of a task, or holds it as SQL writes it."""
    found = []
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = [node.value] if node.value in TASKS else _QUOTED.findall(node.value)
            found += [(node.lineno, name) for name in names]
    return found


@of_each(sorted(PACKAGE.rglob("*.py")))
def test_the_name_of_a_task_stands_in_its_row_and_nowhere_else(path):
    place = path.relative_to(PACKAGE).as_posix()
    if not place.startswith(MAY_NAME_TASKS):
        for line, name in _named(path):
            assert (place, name) in ANOTHER_MEANING, (
                f"tdtsql/{place}:{line}: '{name}': ask its row in tdtsql/tasks for the fact that is meant"
            )


def test_no_view_names_a_task():
    """A package whose families are built-in ones has another name: views ask registry.task for the fact. Headers of
    the files of TDT name the tasks of its plan.
    """
    texts = {
        path: path.read_text(encoding="utf-8").rpartition("*/")[2]
        for path in sql_root().rglob("*.sql")
        if not path.parent.name.endswith("_header")
    }

    assert len(texts) > 300
    assert {path.stem: found for path, text in texts.items() if (found := _QUOTED.findall(text))} == {}


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS.keys())
def test_the_facts_of_a_task_are_those_of_its_views(task):
    families = {relation.family for relation in catalog().values() if relation.schema == "metric"}
    metrics = {metric.metric: metric for relation in published(task.name) for metric in relation.header.metrics}

    assert set(task.families) <= families
    assert {task.primary, *task.summary} <= metrics.keys()
    assert metrics[task.primary].best in (task.best, "{best}")
    assert task.run_table in tables() and "run_no" in tables()[task.run_table].columns
    assert set(task.condition_policies) <= set(tables()["registry.condition"].columns)
    assert task.is_detection == ("detection" in task.families) == (task.run_table == "base.decision")
    assert bool(task.required) == task.is_in_plan
    assert "report.leaderboard" in newest() and WEIGHTING == "topic"


def test_the_rows_of_a_store_are_those_of_the_tasks():
    with tdtsql.connect(":memory:") as store:
        rows = store.sql(
            "select task, primary_metric, best, decides_on, block, run_table, is_detection, is_scored_together, "
            "is_in_plan, default_profile "
            "from registry.task order by position"
        ).fetchall()
        places = store.sql("select list(position order by position) from registry.task").fetchall()

    assert [row[0] for row in rows] == list(TASKS) and places == [(list(range(1, len(TASKS) + 1)),)]
    assert rows[1] == ("new_event", "c_det_norm", "lowest", "story", "topic", "base.decision", 1, 0, 1, "tdt2004")
    assert rows[5] == ("summarization", "h", "highest", None, "event", "base.run_update", 0, 1, 0, "ts-seed")


def test_a_changed_row_of_a_task_is_another_installation(monkeypatch):
    before = definitions.definitions_key(sql_root())
    monkeypatch.setitem(TASKS, "link", replace(TASKS["link"], best="highest"))

    assert definitions.definitions_key(sql_root()) != before


def test_tasks_are_chosen_by_their_facts():
    assert tasks_with(is_detection=True) == ("tracking", "new_event", "link", "filtering", "verification")
    assert tasks_with(is_by_topic=True) == ("tracking", "filtering")
    without = "summarization value_tracking partition verification items"
    assert tasks_with(has_second_judgments=False) == (*without.split(),)
    assert task_list_sql(decides_on="pair") == "'link'"
    assert Engine(":memory:").value(f"select 1 where 'link' in ({task_list_sql(blocks='nothing')})") is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"languages": {"ENGLISH"}, "deferral": 10}, True),
        ({"languages": {"ENGLISH"}, "deferral": 1}, False),
        ({"languages": {"ENGLISH", "ARABIC"}, "deferral": 10}, False),
        ({"languages": {"ENGLISH"}, "deferral": 10, "nt": "4"}, True),
    ],
)
def test_a_required_condition_is_met_in_what_it_says(given, expected):
    [required] = TASKS["new_event"].required
    assert required == Required("5", ["ENGLISH"], deferral=10)
    engine = Engine(":memory:")
    engine.execute_all(
        [
            "create schema base",
            "create table base.source_file (corpus_no integer, source_file_no integer, source_file varchar)",
            "create table base.story (corpus_no integer, source_file_no integer, language varchar)",
            *(f"insert into base.story values (1, 1, '{language}')" for language in given["languages"]),
        ]
    )
    own = {"required": [asdict(required)], "corpus": 1, "files": [], "nt": None, "training_language": None}
    found = select(engine, "condition/is_required", own | given | {"languages": []})
    assert found == [{"is_required": expected}]


def test_every_kind_of_a_key_is_checked_in_a_bundle():
    assert set(KEY_KINDS) == {*KINDS, *WRITTEN_AS}
