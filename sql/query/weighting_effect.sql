/*
title:       Topic-weighted and pooled scores
question:    How much does the number over all stories differ from the mean over topics?
about:       runs
inputs:      report.score
parameters:
    metric     metric     c_det_norm  the metric to show
    run        run        none        one run; none: all
    condition  condition  none        one condition; none: all
    profile    profile    none        one scoring profile; none: all
grain:       condition_id, profile_id, run_id
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    run_id        key     run
    topic_value   double  mean over topics
    story_value   double  over all stories together
    difference    double  story_value - topic_value; NULL where one of them is undefined
    n_topic       count   topics in the mean
    n_trial       count   trials behind the other
order:       Widest difference first.
see also:    profile_effect, report.score
*/
select
    condition_id, profile_id, run_id,
    mean.value as topic_value,
    pooled.value as story_value,
    pooled.value - mean.value as difference,
    mean.n as n_topic,
    pooled.n as n_trial
from report.score as mean
join report.score as pooled using (condition_id, profile_id, run_id, subset, metric)
where subset = 'all'
    and mean.weighting = 'topic'
    and pooled.weighting = 'story'
    and metric = $metric
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by abs(pooled.value - mean.value) desc nulls last, condition_id, profile_id, run_id
