/*
title:       Cost of the threshold
question:    How much of a run's cost is due to its scores, and how much to its decision threshold?
about:       runs
inputs:      report.score
parameters:
    condition  condition  none   one condition; none: all
    profile    profile    none   one scoring profile; none: all
    weighting  weighting  topic  topic: mean over topics; story: all stories together
grain:       condition_id, profile_id, run_id
columns:
    condition_id    key    evaluation condition
    profile_id      key    scoring profile
    run_id          key    run
    c_det_norm      cost   normalised cost of the decisions
    min_c_det_norm  cost   the lowest cost that a threshold on its scores could have had
    loss            cost   c_det_norm - min_c_det_norm
    min_threshold   score  that threshold; NULL where it accepts nothing
order:       Largest loss first.
see also:    topic_thresholds, miss_at_false_alarm, report.score
*/
select
    condition_id, profile_id, run_id,
    max(case when metric = 'c_det_norm' then value end) as c_det_norm,
    max(case when metric = 'min_c_det_norm' then value end) as min_c_det_norm,
    max(case when metric = 'c_det_norm' then value end)
        - max(case when metric = 'min_c_det_norm' then value end) as loss,
    max(case when metric = 'min_threshold' then value end) as min_threshold
from report.score
where subset = 'all'
    and weighting = $weighting
    and metric in ('c_det_norm', 'min_c_det_norm', 'min_threshold')
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
group by condition_id, profile_id, run_id
having count(*) filter (where metric = 'min_c_det_norm') > 0
order by loss desc nulls last, condition_id, profile_id, run_id
