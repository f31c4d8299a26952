/*
title:       Pairs one by one
question:    What does each run say of each pair?
about:       runs
inputs:      metric.shown_pair__v1, registry.run, registry.condition, registry.profile, base.block
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
grain:       condition_id, profile_id, run_id, pair
columns:
    condition_id  key   evaluation condition
    profile_id    key   scoring profile
    run_id        key   run
    pair          key   pair
    said          text  answer of the run; NULL where it has none
    agreement     ratio [0, 1]  1: as people said
order:       By name.
pages:       report 145 run 95
see also:    leaderboard
*/
select condition_id, profile_id, run_id, block_id as pair, said, agreement
from metric.shown_pair__v1
join registry.run using (run_no)
join registry.condition using (condition_no)
join registry.profile using (profile_no)
join base.block using (condition_no, block_no)
where subset_no = 0
    and run_id = coalesce($run, run_id)
    and condition_id = coalesce($condition, condition_id)
    and profile_id = coalesce($profile, profile_id)
order by condition_id, profile_id, run_id, pair
