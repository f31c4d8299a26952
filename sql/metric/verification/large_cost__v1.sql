/*
title:    Costs of log likelihood ratios that are very large and wrong
formula:  A target far below 0 costs -score, a non-target far above 0 costs score. Costs beyond 7e14 nats are added in
          units of 1e-15 of the largest of the run and subset, so that their sum is that of whole numbers too.
source:   Our own: sums of whole numbers have bitwise identical in any order, and no single unit holds 1e300 next to 1
inputs:   base.scored_decision__v1, base.curve_cell__v1, registry.run, registry.condition
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no           key          run
    profile_no       key          scoring profile
    subset_no        key          subset; 0 is all
    block_no         key          block
    largest          score        largest finite cost of the run in the subset
    large_target     fixed 1e-15  costs of the targets, over the largest
    large_nontarget  fixed 1e-15  costs of the non-targets, over the largest
edges:    Infinite costs are not here: with one of them the sum is infinite.
class:    exact
see also: accepted__v1, llr_sum__v1
*/
with large as (
    select
        run_no, profile_no, subset_no, block_no, is_target, case when is_target = 1 then -score else score end as x,
        max(x) over (partition by run_no, profile_no, subset_no) as most
    from base.scored_decision__v1 join registry.run using (run_no) join registry.condition using (condition_no)
    join base.curve_cell__v1 using (condition_no, profile_no, block_no, segment_no)
    where score_kind = 'llr' and x >= 7e14 and x <= 1.7976931348623157e308
)

select
    run_no, profile_no, subset_no, block_no, max(most) as largest,
    sum(case when is_target = 1 and most > 0 then whole_units(x / most) end) as large_target,
    sum(case when is_target = 0 and most > 0 then whole_units(x / most) end) as large_nontarget
from large group by all
