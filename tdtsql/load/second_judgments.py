"""A second judgment set: every condition again, under other judgments.

Each condition of a corpus with a second set has a copy, ``ID+judgments_2``, with
the same trials, decisions and profiles; only ``judgment_set`` differs, and with it
the targets. So every number exists under both judgment sets.

Rows of runs are copied: hashes, exports, archives and other engines identify them by the number of the run. A view that
refers to the rows of the first condition gives the same numbers in 2 to 3 % more time and spares a third of the file
(10 runs of 200,000 decisions); it would replace the table ``base.decision`` in all of these.
"""

from tdtsql.engine.duckdb import Engine
from tdtsql.files.checks import execute
from tdtsql.load.plan import drop_tables
from tdtsql.scoring.hierarchy import refresh_hierarchy
from tdtsql.store import registry
from tdtsql.store.contents import owned, stored_tables
from tdtsql.store.derived import build_labelled_story
from tdtsql.store.recording import note_load
from tdtsql.task import tasks_with


def copy_to_second_judgments(engine: Engine, corpus_no: int) -> list[str]:
    """Update the second conditions of a corpus; return the ids of those created or changed."""
    parameters = {"corpus": corpus_no, "tasks": tasks_with(has_second_judgments=True)}
    execute(engine, "second/conditions", parameters)
    conditions = engine.rows("select condition_no, second_no, second_id, is_changed from second_condition")
    if not conditions:
        drop_tables(engine, "second_condition")
        return []
    for condition_no, second_no, _, is_changed in conditions:
        if condition_no is None:
            registry.drop(engine, "condition_no", second_no)
        elif is_changed and second_no is not None:
            for run_no in engine.column("select run_no from registry.run where condition_no = ?", [second_no]):
                registry.drop(engine, "run_no", run_no)
            registry.drop_owned(engine, "condition_no", second_no)
            engine.execute("delete from registry.condition where condition_no = ?", [second_no])
    engine.execute("delete from second_condition where condition_no is null")
    execute(engine, "second/copies")
    _copy_rows(engine, "condition_no", "second_condition where is_changed")
    changed = engine.rows("select second_no, second_id from second_condition where is_changed order by condition_no")
    build_labelled_story(engine, [number for number, _ in changed])
    for _, name in changed:
        note_load(engine, f"condition:{name}", ())
    for condition_no, second_no, name in engine.rows(
        "select condition_no, second_no, second_id from second_condition order by condition_no"
    ):
        profiles = "select profile_no from registry.condition_profile where condition_no = ?"
        registry.choose_profiles(engine, f"condition:{name}", second_no, engine.column(profiles, [condition_no]))
    execute(engine, "second/runs")
    for run_no in engine.column("select second_no from second_run where run_no is null order by 1"):
        registry.drop(engine, "run_no", run_no)
    execute(engine, "second/copied_runs")
    _copy_rows(engine, "run_no", "second_run")
    for second_no, owner, is_tree in engine.rows(
        "select second_no, owner, run_no in (select run_no from base.vertex) from second_run order by second_no"
    ):
        if is_tree:
            refresh_hierarchy(engine, second_no)
        note_load(engine, owner, ())
    drop_tables(engine, "second_condition", "second_run")
    return [name for _, name in changed]


def _copy_rows(engine: Engine, column: str, copies: str) -> None:
    """Copy the rows of owners (``column``) to those whose number is ``second_no``."""
    if not engine.value(f"select count(*) from {copies}"):
        return
    for table in stored_tables(engine, owned(column)):
        if table != "registry.condition_profile":
            engine.execute(
                f"insert into {table} by name select own.* replace (second_no as {column}) from {table} as own "
                f"join (select {column}, second_no from {copies}) using ({column})"
            )
