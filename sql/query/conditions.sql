/*
title:       Conditions and runs
question:    Which conditions does the store have, with which runs?
about:       runs
inputs:      report.condition, registry.condition, registry.run
parameters:
    condition  condition  none  one condition; none: all
grain:       condition_id, run_id
columns:
    condition_id    key    evaluation condition
    task            text   its task
    corpus_id       text   corpus it is over
    primary_metric  text   the metric that its runs are ranked by
    n_block         count  topics, events or blocks
    run_id          key    run; NULL where it has none
    system          text   what made the run
    n_row           count  decisions or rows of the run
order:       Conditions in the order in which they were loaded, runs by name.
show:        table
pages:       overview 20 condition 5
see also:    leaderboard, report.condition
*/
select condition_id, facts.task, corpus_id, primary_metric, n_block, run_id, system, n_row
from report.condition as facts
join registry.condition using (condition_id)
left join registry.run using (condition_no)
where condition_id = coalesce($condition, condition_id)
order by condition_no, condition_id, run_id
