/*
title:  The curves of a scope with their cells, counts and stop, if each is of one block, of corner points and of both
        classes, and all together are of more than $few trials; else nothing
*/
with curve as (
    select
        run.run_no, cell.profile_no, cell.subset_no, cell.block_no, max(counted.n_target) as n_target,
        max(counted.n_nontarget) as n_nontarget, max(cell.all_points) as all_points,
        list(cell.segment_no) as segments, max(profile.p_fa_stop) as stop
    from registry.run
    join base.curve_cell__v1 as cell on cell.condition_no = run.condition_no
    join metric.detection_trial_total__v1 as counted on counted.run_no = run.run_no
        and counted.profile_no = cell.profile_no and counted.subset_no = cell.subset_no
        and counted.block_no = cell.block_no
    join registry.profile on profile.profile_no = cell.profile_no
    group by all
)

select * exclude (all_points)
from curve
where (
    select
        sum(n_target + n_nontarget) > $few and count(*) = count(distinct (run_no, profile_no, subset_no))
        and bool_and(all_points = 0 and n_target > 0 and n_nontarget > 0)
    from curve
)
order by run_no, profile_no, subset_no
