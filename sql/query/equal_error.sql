/*
title:       Where the two error rates are equal
question:    At which threshold are the miss and false-alarm probabilities of a run nearest to each other?
about:       curves
inputs:      report.det_point
parameters:
    run        run        none   one run; none: all
    condition  condition  none   one condition; none: all
    profile    profile    none   one scoring profile; none: all
    weighting  weighting  topic  topic: curve of means over topics; story: of all stories together
grain:       condition_id, profile_id, run_id
columns:
    condition_id  key           evaluation condition
    profile_id    key           scoring profile
    run_id        key           run
    p_miss        ratio [0, 1]  miss probability there
    p_fa          ratio [0, 1]  false-alarm probability there
    threshold     score         the threshold; NULL where it is rejecting everything
    c_det_norm    cost          normalised cost there
order:       Conditions, profiles and runs by name.
edges:       Of the stored points, the corners of the curve: between two corners there may be a nearer one.
see also:    miss_at_false_alarm, report.det_point
*/
select condition_id, profile_id, run_id, p_miss, p_fa, threshold, c_det_norm
from report.det_point
where subset = 'all'
    and weighting = $weighting
    and block_id is null
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
qualify row_number() over (partition by condition_id, profile_id, run_id order by abs(p_miss - p_fa), point_no) = 1
order by condition_id, profile_id, run_id
