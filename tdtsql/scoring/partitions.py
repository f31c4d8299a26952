"""Whether each story has one topic at most, looked up once when conditions and runs of tracking are loaded; and whether
a run decides at all.

Where it has, in the reference and in the response, overlaps of topics (B-CUBED) are
found by one join. Profiles can only take stories away, so what holds of all that is
loaded holds under each of them.
"""

from collections.abc import Iterable

from tdtsql.engine.duckdb import Engine
from tdtsql.scoring.scope import listed
from tdtsql.task import listed_tasks

_TASKS = listed_tasks(may_be_partition=True)
_DETECTION = listed_tasks(is_detection=True)

#: the stories with several topics of the condition or run of a number
OVERLAPS_OF_CONDITION = (
    "select 1 from base.labelled_story as story where story.condition_no = {number} group by story.story_no having "
    "count(*) > 1"
)
OVERLAPS_OF_RUN = (
    "select 1 from base.decision as said where said.run_no = {number} and said.is_yes group by said.trial_no having "
    "count(*) > 1"
)


def mark_conditions(engine: Engine, condition_nos: Iterable[int]) -> None:
    """Say of the conditions among these that may be one whether no story is labelled for several topics."""
    for [condition_no] in engine.rows(
        f"select condition_no from registry.condition where task in ({_TASKS}) and condition_no in "
        f"({listed(condition_nos)})"
    ):
        _mark(engine, "condition", condition_no, OVERLAPS_OF_CONDITION)


def mark_run(engine: Engine, run_no: int) -> None:
    """Say of a run of decisions whether it says yes or no, or gives scores alone; and, if its task may have one,
    whether it puts no story in several topics.
    """
    of_run = (
        f"select 1 from registry.run as run join registry.condition as condition using (condition_no) where "
        f"run.run_no = {run_no} and condition.task in"
    )
    if engine.has_decisions and engine.rows(f"{of_run} ({_DETECTION})"):
        engine.execute(f"""
            update registry.run set has_decision = case when exists (select 1 from base.decision as said
            where said.run_no = {run_no} and said.is_yes is null) then 0 else 1 end
            where run_no = {run_no}""")
    # asked first: the decisions of other tasks, millions of pairs, need not be looked through
    if engine.rows(f"{of_run} ({_TASKS})"):
        _mark(engine, "run", run_no, OVERLAPS_OF_RUN)


def _mark(engine: Engine, what: str, number: int, overlaps: str) -> None:
    engine.execute(
        f"update registry.{what} set is_partition = case when exists ({overlaps.format(number=number)}) then 0 else 1 "
        f"end where {what}_no = {number}"
    )
