"""The main numbers of every run, one row a run and profile."""

from tdtsql.engine.duckdb import Engine

#: what the summary shows of each task: (weighting, metrics)
SUMMARY = {
    "tracking": ("topic", ("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm", "b3_f1")),
    "new_event": ("topic", ("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm")),
    "link": ("topic", ("p_miss", "p_fa", "c_det_norm", "c_det_prel_norm", "min_c_det_norm")),
    "hierarchy": ("topic", ("min_cost", "c_det_norm", "c_travel_norm")),
    "filtering": ("topic", ("precision", "recall", "f_beta", "t11su", "c_det_norm", "c_det_prel_norm", "n_empty_topic", "n_empty_retrieved")),
    "summarization": ("topic", ("neg", "nelg", "comprehensiveness", "latency_comprehensiveness", "h")),
    "value_tracking": ("topic", ("ee",)),
}


def summary(engine: Engine, task: str) -> tuple[list[str], list[tuple]]:
    """Return the main numbers of the runs of a task, one row a run and profile.

    Where the plan has the task, column ``plan`` says whether it requires the condition.
    """
    weighting, metrics = SUMMARY[task]
    plan = "condition.plan, " if engine.relation(f"select 1 from report.condition where task = '{task}' and plan is not null").fetchall() else ""
    columns = ", ".join(f"max(case when metric = '{metric}' then value end) as {metric}" for metric in metrics)
    relation = engine.relation(f"""
        select score.condition_id, {plan}score.run_id, score.profile_id, {columns}
        from report.score as score join report.condition as condition on condition.condition_id = score.condition_id
        where score.task = '{task}' and score.subset = 'all' and score.weighting = '{weighting}'
        group by score.condition_id, {plan}score.run_id, score.profile_id order by score.condition_id, score.profile_id, score.run_id""")
    return relation.columns, relation.fetchall()
