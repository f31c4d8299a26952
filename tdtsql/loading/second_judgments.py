"""A second judgment set: every condition again, under other judgments.

The conditions of a corpus with a second set have a twin, ``ID+judgments_2``, with
the same trials, decisions and profiles; only ``judgment_set`` differs, and with it
who is a target. So every number exists before and after, side by side.
"""

from tdtsql.engine.duckdb import Engine
from tdtsql.store import registry
from tdtsql.store.contents import CHOSEN_PROFILES
from tdtsql.store.ledger import seal
from tdtsql.scoring.hierarchy import refresh_hierarchy
from tdtsql.intake.inputs import fingerprint
from tdtsql.scoring.labelled_stories import label_stories
from tdtsql.version import __version__
from tdtsql.task import listed_tasks

#: what a twin's id ends in
SUFFIX = "+judgments_2"


def mirror_conditions(engine: Engine, corpus_no: int) -> list[str]:
    """Bring the twins of a corpus's conditions up to date; return the ids of those made or changed."""
    has_second = engine.value("select count(*) from base.judgment where corpus_no = ? and judgment_set = 2", [corpus_no]) > 0
    twins = dict(engine.rows("select base_condition_no, condition_no from registry.condition where corpus_no = ? and judgment_set = 2", [corpus_no]))
    conditions = engine.rows(
        "select condition_no, condition_id, content_sha256 from registry.condition where corpus_no = ? and judgment_set = 1 "
        f"and has_key = 0 and task in ({listed_tasks(has_second_judgments=True)}) order by condition_no", [corpus_no]) if has_second else []
    for base_no in twins.keys() - {row[0] for row in conditions}:
        registry.drop_condition(engine, twins[base_no])
    changed = []
    for condition_no, condition_id, content in conditions:
        twin_no = twins.get(condition_no) or registry.next_number(engine, "registry.condition", "condition_no")
        if _mirror_condition(engine, condition_no, twin_no, condition_id + SUFFIX, fingerprint(content, "judgment set 2")):
            changed.append(condition_id + SUFFIX)
        _mirror_profiles(engine, condition_no, twin_no)
        seal(engine, f"condition:{condition_id}{SUFFIX}", CHOSEN_PROFILES)
        _mirror_runs(engine, condition_no, twin_no, condition_id + SUFFIX)
    return changed


def _mirror_condition(engine: Engine, condition_no: int, twin_no: int, twin_id: str, content: str) -> bool:
    """Copy what a condition was made into; returns whether the twin was not up to date."""
    if engine.rows("select 1 from registry.condition where condition_no = ? and content_sha256 = ?", [twin_no, content]):
        return False
    for [run_no] in engine.rows("select run_no from registry.run where condition_no = ?", [twin_no]):
        registry.drop_run(engine, run_no)
    registry.clear_condition(engine, twin_no)
    engine.execute("delete from registry.condition where condition_no = ?", [twin_no])
    engine.execute(
        "insert into registry.condition by name select * replace ($twin as condition_no, $id as condition_id, 2 as judgment_set, "
        "$condition as base_condition_no, $content as content_sha256) from registry.condition where condition_no = $condition",
        {"twin": twin_no, "id": twin_id, "condition": condition_no, "content": content})
    for table in registry.OWNED["condition_no"]:
        if table != "registry.condition_profile":
            engine.execute(f"insert into {table} by name select * replace ($twin as condition_no) from {table} where condition_no = $condition",
                           {"twin": twin_no, "condition": condition_no})
    label_stories(engine, [twin_no])
    registry.record_inputs(engine, f"condition:{twin_id}", [], [], __version__, ("condition_no", twin_no))
    return True


def _mirror_profiles(engine: Engine, condition_no: int, twin_no: int) -> None:
    engine.execute("delete from registry.condition_profile where condition_no = ?", [twin_no])
    engine.execute("insert into registry.condition_profile select $twin, profile_no from registry.condition_profile where condition_no = $condition",
                   {"twin": twin_no, "condition": condition_no})


def _mirror_runs(engine: Engine, condition_no: int, twin_no: int, twin_id: str) -> None:
    """Copy the runs that the twin lacks or has otherwise, and drop those that are gone."""
    wanted = {run_id: (run_no, content) for run_no, run_id, content in engine.rows(
        "select run_no, run_id, content_sha256 from registry.run where condition_no = ?", [condition_no])}
    for run_no, run_id, content in engine.rows("select run_no, run_id, content_sha256 from registry.run where condition_no = ?", [twin_no]):
        if run_id in wanted and wanted[run_id][1] == content:
            del wanted[run_id]
        else:
            registry.drop_run(engine, run_no)
    engine.bring_decisions([run_no for run_no, _ in wanted.values()])
    for run_id, (run_no, _) in wanted.items():
        twin_run_no = registry.next_number(engine, "registry.run", "run_no")
        for table in ("registry.run", *registry.OWNED["run_no"]):
            twin = ", $condition as condition_no" if table == "registry.run" else ""
            parameters = {"twin": twin_run_no, "run": run_no} | ({"condition": twin_no} if twin else {})
            engine.execute(f"insert into {table} by name select * replace ($twin as run_no{twin}) from {table} where run_no = $run", parameters)
        refresh_hierarchy(engine, twin_run_no)
        registry.record_inputs(engine, f"run:{twin_id}/{run_id}", [], [], __version__, ("run_no", twin_run_no))
