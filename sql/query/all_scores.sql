/*
title:       All scores
question:    Which numbers does each run have?
about:       runs
inputs:      report.score
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    metric     metric     none  one metric; none: all
grain:       condition_id, profile_id, run_id, metric, subset, weighting
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    run_id        key     run
    metric        key     metric
    subset        key     all, or what the number is conditioned on
    weighting     key     topic, topic_all, story, group, weight or none
    value         double  the number; NULL where it is undefined
    n             count   blocks that entered a mean, trials behind a pooled number
    reason        text    why the number is NULL
    signature     text    its signature
order:       By name: conditions, profiles, runs, metrics, weightings and subsets.
show:        table hide=signature
pages:       report 160 run 60 number 10
see also:    ranks_by_metric, report.score
*/
select
    condition_id, profile_id, run_id, metric, subset, weighting, value, n, null_reason as reason, signature
from report.score
where run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
    and metric = coalesce($metric, metric)
order by condition_id, profile_id, run_id, metric, weighting, subset
