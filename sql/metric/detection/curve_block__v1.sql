/*
title:    The curves of runs, numbered, with their blocks
formula:  a run x a profile x a subset whose curve is made
source:   The 2004 TDT evaluation plan, section 5.1 (DET curves)
inputs:   registry.run, registry.condition_profile, registry.profile, base.curve_request,
          metric.detection_trial_total__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no        key    run
    profile_no    key    scoring profile
    subset_no     key    subset; 0 is all
    block_no      key    block (topic)
    curve_no      count  number of the curve (run, profile, subset), from 1
    condition_no  count  condition of the run
    all_points    flag   1: every distinct score is a threshold
    n_target      count  scored targets
    n_nontarget   count  scored non-targets
    is_free       flag   1: the block's non-targets cost nothing: it has no targets, under fa_topics = with_target or
                         topic_cost_minimum = mean_of_costs
class:    exact
see also: det_level__v1, det_cell__v1
*/
with curve as (
    select
        cast(row_number() over (order by run_no asc, profile_no asc, subset_no asc) as integer) as curve_no,
        run_no, condition_no, profile_no, subset_no, all_points
    from registry.run join registry.condition_profile using (condition_no)
    join base.curve_request using (condition_no)
)

select
    run_no, profile_no, subset_no, block_no, curve_no, condition_no, all_points, n_target, n_nontarget,
    case
        when n_target > 0 or det_rule = 'program' then 0
        when fa_topics = 'with_target' or topic_cost_minimum = 'mean_of_costs' then 1
        else 0
    end as is_free
from curve join metric.detection_trial_total__v1 using (run_no, profile_no, subset_no)
join registry.profile using (profile_no)
