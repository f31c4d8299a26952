/*
title:    The topics and trials that a DET curve is made of
source:   The 2004 TDT evaluation plan, section 5.1; F4DE 3.5.0 (blocks without targets skipped)
inputs:   metric.detection_count__v1, registry.run, registry.profile, base.curve_request
grain:    run_no, profile_no, subset_no
columns:
    run_no        key    run
    profile_no    key    scoring profile
    subset_no     key    subset; 0 is all
    n_target      count  target trials
    n_nontarget   count  non-target trials
    n_block_miss  count  topics with targets
    n_block_fa    count  topics in the mean of p_fa
    n_block_both  count  topics with targets and non-targets
edges:    Under fa_topics = with_target topics without targets are not in n_block_fa;
          their trials still are in n_nontarget.
class:    exact
see also: det_curve__v1
*/
with

counted as (
    select
        run_no, profile_no, subset_no, n_target, n_nontarget,
        case when fa_topics = 'all' or n_target > 0 then 1 else 0 end as is_fa_topic
    from metric.detection_count__v1
    join registry.run using (run_no)
    join registry.profile using (profile_no)
    join base.curve_request using (condition_no, subset_no)
)

select
    run_no, profile_no, subset_no,
    cast(sum(n_target) as bigint) as n_target,
    cast(sum(n_nontarget) as bigint) as n_nontarget,
    cast(sum(case when n_target > 0 then 1 else 0 end) as bigint) as n_block_miss,
    cast(sum(case when n_nontarget > 0 then is_fa_topic else 0 end) as bigint) as n_block_fa,
    cast(sum(case when n_target > 0 and n_nontarget > 0 then 1 else 0 end) as bigint) as n_block_both
from counted
group by run_no, profile_no, subset_no
