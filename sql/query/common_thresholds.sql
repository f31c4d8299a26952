/*
title:       One threshold
question:    What does one threshold for all topics cost, compared with the best of each topic?
about:       curves
inputs:      report.common_threshold
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, run_id, prior
columns:
    condition_id   key    evaluation condition
    profile_id     key    scoring profile
    run_id         key    run
    prior          key    fixed: the profile's prior; own: each topic's own
    threshold      score  the best common threshold; NULL for reject-all
    cost_norm      cost   mean normalised cost with it
    own_cost_norm  cost   the same with each topic's best threshold
    price          cost   the difference
    n              count  topics with targets and non-targets
order:       Conditions, profiles and runs by name.
show:        table
pages:       report 92
see also:    threshold_loss, report.common_threshold
*/
select
    condition_id, profile_id, run_id, prior, threshold, cost_norm, own_cost_norm,
    case when abs(price) < 1e-12 then 0 else price end as price, n_block as n
from report.common_threshold
where n_block > 0
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, run_id, prior
