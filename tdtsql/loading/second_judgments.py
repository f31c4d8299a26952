"""A second judgment set: every condition again, under other judgments.

Each condition of a corpus with a second set has a copy, ``ID+judgments_2``, with
the same trials, decisions and profiles; only ``judgment_set`` differs, and with it
the targets. So every number exists under both judgment sets.

Rows of runs are copied: hashes, exports, archives and other engines identify them by the number of the run. A view that
refers to the rows of the first condition gives the same numbers in 2 to 3 % more time and spares a third of the file
(10 runs of 200,000 decisions); it would replace the table ``base.decision`` in all of these.
"""

from tdtsql.engine.duckdb import Engine
from tdtsql.store import registry
from tdtsql.scoring.hierarchy import refresh_hierarchy
from tdtsql.files.fingerprint import fingerprint
from tdtsql.store.contents import owned, stored_tables
from tdtsql.store.recording import note_load
from tdtsql.store.derived import build_labelled_story
from tdtsql.task import task_list_sql

#: what the id of a second condition ends in
SUFFIX = "+judgments_2"


def copy_to_second_judgments(engine: Engine, corpus_no: int) -> list[str]:
    """Update the second conditions of a corpus; return the ids of those created or changed."""
    has_second = (
        engine.value("select count(*) from base.judgment where corpus_no = ? and judgment_set = 2", [corpus_no]) > 0
    )
    seconds = dict(
        engine.rows(
            "select base_condition_no, condition_no from registry.condition where corpus_no = ? and judgment_set = 2",
            [corpus_no],
        )
    )
    conditions = (
        engine.rows(
            "select condition_no, condition_id, source_sha256 from registry.condition where corpus_no = ? and "
            "judgment_set = 1 "
            f"and has_key = 0 and task in ({task_list_sql(has_second_judgments=True)}) order by condition_no",
            [corpus_no],
        )
        if has_second
        else []
    )
    for base_no in seconds.keys() - {row[0] for row in conditions}:
        registry.drop(engine, "condition_no", seconds[base_no])
    changed = []
    for condition_no, condition_id, content in conditions:
        second_no = seconds.get(condition_no) or registry.next_number(engine, "registry.condition", "condition_no")
        if _mirror_condition(
            engine, condition_no, second_no, condition_id + SUFFIX, fingerprint(content, "judgment set 2")
        ):
            changed.append(condition_id + SUFFIX)
        profiles = engine.column(
            "select profile_no from registry.condition_profile where condition_no = ?", [condition_no]
        )
        registry.choose_profiles(engine, f"condition:{condition_id}{SUFFIX}", second_no, profiles)
        _copy_runs(engine, condition_no, second_no, condition_id + SUFFIX)
    return changed


def _mirror_condition(engine: Engine, condition_no: int, second_no: int, second_id: str, content: str) -> bool:
    """Copy what a condition was stored as; returns whether the second was not up to date."""
    if engine.rows(
        "select 1 from registry.condition where condition_no = ? and source_sha256 = ?", [second_no, content]
    ):
        return False
    for run_no in engine.column("select run_no from registry.run where condition_no = ?", [second_no]):
        registry.drop(engine, "run_no", run_no)
    registry.drop_owned(engine, "condition_no", second_no)
    engine.execute("delete from registry.condition where condition_no = ?", [second_no])
    engine.execute(
        "insert into registry.condition by name select * replace ($second as condition_no, $id as condition_id, 2 as "
        "judgment_set, "
        "$condition as base_condition_no, $content as source_sha256) from registry.condition where condition_no = "
        "$condition",
        {"second": second_no, "id": second_id, "condition": condition_no, "content": content},
    )
    for table in stored_tables(engine, owned("condition_no")):
        if table != "registry.condition_profile":
            engine.execute(
                f"insert into {table} by name select * replace ($second as condition_no) from {table} where "
                f"condition_no = $condition",
                {"second": second_no, "condition": condition_no},
            )
    build_labelled_story(engine, [second_no])
    note_load(engine, f"condition:{second_id}", ())
    return True


def _copy_runs(engine: Engine, condition_no: int, second_no: int, second_id: str) -> None:
    """Copy the runs that the second condition lacks or has with other content, and drop those that were removed."""
    wanted = {
        run_id: (run_no, content)
        for run_no, run_id, content in engine.rows(
            "select run_no, run_id, content_sha256 from registry.run where condition_no = ?", [condition_no]
        )
    }
    for run_no, run_id, content in engine.rows(
        "select run_no, run_id, content_sha256 from registry.run where condition_no = ?", [second_no]
    ):
        if run_id in wanted and wanted[run_id][1] == content:
            del wanted[run_id]
        else:
            registry.drop(engine, "run_no", run_no)
    for run_id, (run_no, _) in wanted.items():
        second_run_no = registry.next_number(engine, "registry.run", "run_no")
        for table in ("registry.run", *stored_tables(engine, owned("run_no"))):
            renumbered = ", $condition as condition_no" if table == "registry.run" else ""
            parameters = {"second": second_run_no, "run": run_no} | ({"condition": second_no} if renumbered else {})
            engine.execute(
                f"insert into {table} by name select * replace ($second as run_no{renumbered}) from {table} where "
                f"run_no = $run",
                parameters,
            )
        refresh_hierarchy(engine, second_run_no)
        note_load(engine, f"run:{second_id}/{run_id}", ())
