/*
title:       DET point at 10 % misses
question:    What is the false-alarm probability of a run at a miss probability of one in ten?
about:       curves
inputs:      report.det_point
parameters:
    p_miss     number     0.1    highest miss probability
    run        run        none   one run; none: all
    condition  condition  none   one condition; none: all
    profile    profile    none   one scoring profile; none: all
    weighting  weighting  topic  topic: curve of means over topics; story: of all stories together
grain:       condition_id, profile_id, run_id
columns:
    condition_id  key           evaluation condition
    profile_id    key           scoring profile
    run_id        key           run
    p_fa          ratio [0, 1]  lowest false-alarm probability of a threshold that stays within p_miss
    p_miss        ratio [0, 1]  miss probability there
    threshold     score         that threshold
    c_det_norm    cost          normalised cost there
order:       Conditions and profiles by name, the lowest false-alarm probability first.
see also:    miss_at_false_alarm, equal_error, report.det_point
*/
select condition_id, profile_id, run_id, p_fa, p_miss, threshold, c_det_norm
from report.det_point
where p_miss <= $p_miss
    and subset = 'all'
    and weighting = $weighting
    and block_id is null
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
qualify row_number() over (partition by condition_id, profile_id, run_id order by p_fa, p_miss, point_no) = 1
order by condition_id, profile_id, p_fa, run_id
