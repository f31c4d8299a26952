/*
title:       The best threshold of each topic
question:    How much do the best thresholds of the topics of a run differ?
about:       curves
inputs:      report.block_score, report.score
parameters:
    run        run        needed  the run
    condition  condition  none    one condition; none: all that the run answers
    profile    profile    none    one scoring profile; none: all
grain:       condition_id, profile_id, block_id
columns:
    condition_id    key    evaluation condition
    profile_id      key    scoring profile
    block_id        key    topic or block of links
    min_threshold   score  the threshold that is best for the topic; NULL where that is to accept nothing
    min_c_det_norm  cost   normalised cost of the topic with it
    c_det_norm      cost   normalised cost of the topic as decided
    run_threshold   score  the one threshold that is best for the mean over topics
order:       Conditions and profiles by name, the highest threshold first.
see also:    threshold_loss, report.common_threshold
*/
with

topic as (
    select
        condition_id, profile_id, run_id, block_id,
        max(case when metric = 'min_threshold' then value end) as min_threshold,
        max(case when metric = 'min_c_det_norm' then value end) as min_c_det_norm,
        max(case when metric = 'c_det_norm' then value end) as c_det_norm
    from report.block_score
    where run_id = $run
        and subset = 'all'
        and metric in ('min_threshold', 'min_c_det_norm', 'c_det_norm')
    group by condition_id, profile_id, run_id, block_id
)

select
    condition_id, profile_id, block_id, min_threshold, min_c_det_norm, c_det_norm,
    value as run_threshold
from topic
join report.score using (condition_id, profile_id, run_id)
where metric = 'min_threshold'
    and subset = 'all'
    and weighting = 'topic'
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, min_threshold desc nulls first, block_id
