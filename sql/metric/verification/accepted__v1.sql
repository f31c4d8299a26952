/*
title:    What the Bayes threshold accepts, and what log likelihood ratios cost, per block and segment
formula:  accepted: score >= act_threshold
          cost of a trial in nats: target ln(1 + e^-score), non-target ln(1 + e^score)
          ln(1 + e^x) is max(x, 0) + ln(1 + e^-|x|), which does not overflow.
source:   N. Bruemmer, J. du Preez, Application-independent evaluation of speaker detection (2006), sections 3, 4
inputs:   base.scored_decision__v1, registry.run, registry.condition, registry.profile,
          base.bayes_threshold__v1
grain:    run_no, profile_no, block_no, segment_no
columns:
    run_no           key               run
    profile_no       key               scoring profile
    block_no         key               block
    segment_no       key               segment
    n_target         count             targets with a score
    n_nontarget      count             non-targets with a score
    n_hit            count             targets at or above the threshold; NULL where the profile has none
    n_false_alarm    count             non-targets at or above it
    cost_target      fixed 1/1024      whole part of the targets' costs, but of those beyond 7e14
    rest_target      fixed 1e-12/1024  what is left of them
    cost_nontarget   fixed 1/1024      of the non-targets
    rest_nontarget   fixed 1e-12/1024  what is left of them
    worst_target     score             highest -score of a target
    worst_nontarget  score             highest score of a non-target
edges:    Only runs whose scores are log likelihood ratios (score_kind = llr).
class:    libm
see also: large_cost__v1, llr_sum__v1
*/
-- x: how far the score is on the wrong side; from 40 on ln(1 + e^-|x|) adds nothing, and PostgreSQL refuses an
-- exponential that is too small for a number
with costed as (
    select
        run_no, profile_no, block_no, segment_no, is_target, case when is_target = 1 then -score else score end as x,
        case when score >= act_threshold then 1 when act_threshold is not null then 0 end as is_accepted,
        case
            when abs(x) < 40 then (case when x > 0 then x else 0 end + ln(1 + exp(-abs(x)))) * 1024
            when x < 7e14 then (case when x > 0 then x else 0 end) * 1024
        end as cost
    from base.scored_decision__v1 join registry.run using (run_no) join registry.condition using (condition_no)
    join registry.profile using (profile_no)
    left join base.bayes_threshold__v1 using (condition_no, profile_no)
    where score_kind = 'llr'
)

select
    run_no, profile_no, block_no, segment_no, whole_sum(is_target) as n_target, whole_sum(1 - is_target) as n_nontarget,
    whole_sum(is_accepted * is_target) as n_hit, whole_sum(is_accepted * (1 - is_target)) as n_false_alarm,
    sum(cast(floor(cost) as decimal(38, 0))) filter (where is_target = 1) as cost_target,
    sum(whole_units(cost - floor(cost), 1e12)) filter (where is_target = 1) as rest_target,
    sum(cast(floor(cost) as decimal(38, 0))) filter (where is_target = 0) as cost_nontarget,
    sum(whole_units(cost - floor(cost), 1e12)) filter (where is_target = 0) as rest_nontarget,
    max(x) filter (where is_target = 1) as worst_target, max(x) filter (where is_target = 0) as worst_nontarget
from costed group by all
