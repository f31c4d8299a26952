"""The main numbers of every run, one row a run and profile."""

from tdtsql.engine.duckdb import Engine
from tdtsql.task import TASKS, WEIGHTING


def summary(engine: Engine, task: str) -> tuple[list[str], list[tuple]]:
    """Return the main numbers of the runs of a task, one row a run and profile.

    Where the plan has the task, column ``plan`` says whether it requires the condition.
    """
    plan = (
        "condition.plan, "
        if engine.relation(f"select 1 from report.condition where task = '{task}' and plan is not null").fetchall()
        else ""
    )
    columns = ", ".join(
        f"max(case when metric = '{metric}' then value end) as {metric}" for metric in TASKS[task].summary
    )
    relation = engine.relation(f"""
        select score.condition_id, {plan}score.run_id, score.profile_id, {columns}
        from report.score as score join report.condition as condition on condition.condition_id = score.condition_id
        where score.task = '{task}' and score.subset = 'all' and score.weighting = '{WEIGHTING}'
        group by score.condition_id, {plan}score.run_id, score.profile_id
        order by score.condition_id, score.profile_id, score.run_id""")
    return relation.columns, relation.fetchall()
