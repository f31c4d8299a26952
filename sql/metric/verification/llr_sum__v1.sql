/*
title:    What the Bayes threshold accepts, and what log likelihood ratios cost, per block and subset
source:   N. Bruemmer, J. du Preez, Application-independent evaluation of speaker detection (2006), sections 3 and 4
inputs:   metric.detection_count__v1, metric.verification_accepted__v1, metric.verification_large_cost__v1,
          base.bayes_threshold__v1, base.curve_cell__v1, base.curve_request, registry.run,
          registry.condition, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                key               run
    profile_no            key               scoring profile
    subset_no             key               subset; 0 is all
    block_no              key               block
    act_threshold         score             threshold of least expected cost; NULL where the profile has none
    n_target              count             targets of the block
    n_nontarget           count             non-targets of the block
    n_silent              count             trials without a score
    n_accepted_target     count             targets at or above the threshold
    n_accepted_nontarget  count             non-targets at or above it
    cost_target           fixed 1/1024      whole part of the targets' costs, in nats
    rest_target           fixed 1e-12/1024  what is left of them
    cost_nontarget        fixed 1/1024      of the non-targets
    rest_nontarget        fixed 1e-12/1024  what is left of them
    largest               score             largest of the costs beyond 7e14; NULL: none
    large_target          fixed 1e-15       targets' costs beyond 7e14, over the largest
    large_nontarget       fixed 1e-15       non-targets' costs beyond 7e14, over the largest
    worst                 score             infinite where a cost is
edges:    A trial without a score is rejected.
          Only runs whose scores are log likelihood ratios (score_kind = llr).
class:    libm
see also: accepted__v1, calibration__v1
*/
with cell as (
    select
        run_no, profile_no, subset_no, block_no, whole_sum(n_target + n_nontarget) as n_scored,
        whole_sum(n_hit) as sum_hit, whole_sum(n_false_alarm) as sum_false_alarm, sum(cost_target) as sum_cost_target,
        sum(rest_target) as sum_rest_target, sum(cost_nontarget) as sum_cost_nontarget,
        sum(rest_nontarget) as sum_rest_nontarget, max(worst_target) as most_wrong_target,
        max(worst_nontarget) as most_wrong_nontarget
    from metric.verification_accepted__v1 join registry.run using (run_no)
    join base.curve_cell__v1 using (condition_no, profile_no, block_no, segment_no)
    group by run_no, profile_no, subset_no, block_no
)

select
    run_no, profile_no, subset_no, block_no, act_threshold, n_target, n_nontarget,
    n_target + n_nontarget - coalesce(n_scored, 0) as n_silent, coalesce(sum_hit, 0) as n_accepted_target,
    coalesce(sum_false_alarm, 0) as n_accepted_nontarget, coalesce(sum_cost_target, 0) as cost_target,
    coalesce(sum_rest_target, 0) as rest_target, coalesce(sum_cost_nontarget, 0) as cost_nontarget,
    coalesce(sum_rest_nontarget, 0) as rest_nontarget, largest, coalesce(large_target, 0) as large_target,
    coalesce(large_nontarget, 0) as large_nontarget,
    case
        when most_wrong_target > 1.7976931348623157e308 then most_wrong_target
        when most_wrong_nontarget > 1.7976931348623157e308 then most_wrong_nontarget
    end as worst
from metric.detection_count__v1
join registry.run using (run_no) join registry.condition using (condition_no) join registry.profile using (profile_no)
join base.curve_request using (condition_no, subset_no)
left join base.bayes_threshold__v1 using (condition_no, profile_no)
left join cell using (run_no, profile_no, subset_no, block_no)
left join metric.verification_large_cost__v1 using (run_no, profile_no, subset_no, block_no)
where score_kind = 'llr'
