"""Whether each story has one topic at most, looked up once when conditions and runs of tracking are loaded.

Where it has, in the reference and in the response, overlaps of topics (B-CUBED) are
found by one join. Profiles can only take stories away, so what holds of all that is
loaded holds under each of them.
"""

from collections.abc import Iterable

from tdtsql.engine.duckdb import Engine
from tdtsql.store.scope import listed

#: stories with several topics
OVERLAPS_OF_CONDITION = "select 1 from base.labelled_story as story where story.condition_no = {condition_no} group by story.story_no having count(*) > 1"
OVERLAPS_OF_RUN = "select 1 from base.decision as said where said.run_no = {run_no} and said.is_yes group by said.trial_no having count(*) > 1"


def mark_conditions(engine: Engine, condition_nos: Iterable[int]) -> None:
    """Say of the tracking conditions among these whether no story is labelled for several topics."""
    for [condition_no] in engine.rows(f"select condition_no from registry.condition where task = 'tracking' and condition_no in ({listed(condition_nos)})"):
        engine.execute(f"""
            update registry.condition set is_partition = case when exists ({OVERLAPS_OF_CONDITION.format(condition_no=condition_no)}) then 0 else 1 end
            where condition_no = {condition_no}""")


def mark_run(engine: Engine, run_no: int) -> None:
    """Say of a tracking run whether it puts no story in several topics."""
    engine.execute(f"""
        update registry.run set is_partition = case when exists ({OVERLAPS_OF_RUN.format(run_no=run_no)}) then 0 else 1 end
        where run_no = {run_no} and condition_no in (select condition_no from registry.condition where task = 'tracking')""")
