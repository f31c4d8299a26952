/*
title:    Error rates at the Bayes threshold and mean costs of log likelihood ratios, in both weightings
formula:  story: sums over blocks, divided once; topic: means of the blocks' own rates and mean costs
source:   N. Bruemmer, J. du Preez, Application-independent evaluation of speaker detection (2006), sections 3 and 4;
          NIST speaker recognition evaluation 2016, scorer (means over partitions)
inputs:   metric.verification_llr_sum__v1, registry.profile
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no          key           run
    profile_no      key           scoring profile
    subset_no       key           subset; 0 is all
    weighting       key           story or topic
    act_threshold   score         threshold of least expected cost
    act_p_miss      ratio [0, 1]  targets below the threshold; NULL without targets
    act_p_fa        ratio [0, 1]  non-targets at or above it; NULL without non-targets
    mean_target     cost          mean cost of a target in nats
    mean_nontarget  cost          mean cost of a non-target in nats
    n_miss_behind   count         targets, or topics in the mean of act_p_miss
    n_fa_behind     count         non-targets, or topics in the mean of act_p_fa
    n_silent_trial  count         trials without a score
    worst_cost      score         infinite where a cost is
edges:    Under fa_topics = with_target topics without targets are not in the means of non-targets.
class:    libm
see also: llr_sum__v1, calibration__v1
*/
-- each block by itself, and all of them together
with unit as (
    select
        run_no, profile_no, subset_no, weighting, case when weighting = 'topic' then block_no end as part_no,
        max(act_threshold) as threshold, whole_sum(n_target) as u_target, whole_sum(n_nontarget) as u_nontarget,
        whole_sum(n_silent) as u_silent, max(worst) as u_worst,
        ratio(whole_sum(n_target) - whole_sum(n_accepted_target), u_target) as miss,
        ratio(whole_sum(n_accepted_nontarget), u_nontarget) as fa,
        ratio(sum(cost_target), u_target) / 1024 + ratio(sum(rest_target), u_target) / 1024e12
            + coalesce(ratio(sum(large_target), u_target) / 1e15 * max(largest), 0) as target_cost,
        ratio(sum(cost_nontarget), u_nontarget) / 1024 + ratio(sum(rest_nontarget), u_nontarget) / 1024e12
            + coalesce(ratio(sum(large_nontarget), u_nontarget) / 1e15 * max(largest), 0) as nontarget_cost
    from metric.verification_llr_sum__v1
    cross join (select 'story' as weighting union all select 'topic' as weighting) as weighting
    group by all
),

-- means of very large costs in units of the largest
scaled as (
    select
        unit.*,
        case when weighting = 'story' or fa_topics = 'all' or u_target > 0 then 1 else 0 end as is_fa_unit,
        case when is_fa_unit = 1 then fa end as mean_fa,
        case when is_fa_unit = 1 then nontarget_cost end as mean_nontarget_cost,
        max(case when target_cost > 1e3 then target_cost else 1 end) over whole as target_scale,
        max(case when nontarget_cost > 1e3 then nontarget_cost else 1 end) over whole as nontarget_scale
    from unit join registry.profile using (profile_no)
    window whole as (partition by run_no, profile_no, subset_no, weighting)
)

select
    run_no, profile_no, subset_no, weighting, max(threshold) as act_threshold,
    case when max(threshold) is not null then exact_mean(miss) end as act_p_miss,
    case when max(threshold) is not null then exact_mean(mean_fa) end as act_p_fa,
    exact_mean(case when target_scale > 0 then target_cost / target_scale end) * max(target_scale) as mean_target,
    exact_mean(case when nontarget_scale > 0 then mean_nontarget_cost / nontarget_scale end) * max(nontarget_scale)
        as mean_nontarget,
    case when weighting = 'story' then max(u_target) else count(miss) end as n_miss_behind,
    case when weighting = 'story' then max(u_nontarget) else count(mean_fa) end as n_fa_behind,
    whole_sum(u_silent) as n_silent_trial, max(u_worst) as worst_cost
from scaled group by run_no, profile_no, subset_no, weighting
