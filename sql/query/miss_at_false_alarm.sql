/*
title:       DET point at 1 % false alarms
question:    What is the miss probability of a run at a false-alarm probability of one in a hundred?
about:       curves
inputs:      report.det_point
parameters:
    p_fa       number     0.01   highest false-alarm probability
    run        run        none   one run; none: all
    condition  condition  none   one condition; none: all
    profile    profile    none   one scoring profile; none: all
    weighting  weighting  topic  topic: curve of means over topics; story: of all stories together
grain:       condition_id, profile_id, run_id
columns:
    condition_id  key           evaluation condition
    profile_id    key           scoring profile
    run_id        key           run
    p_miss        ratio [0, 1]  lowest miss probability of a threshold that stays within p_fa
    p_fa          ratio [0, 1]  false-alarm probability there
    threshold     score         that threshold; NULL where only rejecting everything stays within
    c_det_norm    cost          normalised cost there
order:       Conditions and profiles by name, the lowest miss probability first.
see also:    false_alarm_at_miss, equal_error, report.det_point
*/
select condition_id, profile_id, run_id, p_miss, p_fa, threshold, c_det_norm
from report.det_point
where p_fa <= $p_fa
    and subset = 'all'
    and weighting = $weighting
    and block_id is null
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
qualify row_number() over (partition by condition_id, profile_id, run_id order by p_miss, p_fa, point_no) = 1
order by condition_id, profile_id, p_miss, run_id
