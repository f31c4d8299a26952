/*
title:       Effect of the EER definition
question:    How much do the definitions of the equal error rate differ for each run, and do they change its rank?
about:       trials
inputs:      metric.verification_eer_rule__v1, report.score, registry.counted_run, registry.profile, base.subset
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    subset     subset     all   the subset to show
grain:       condition_id, profile_id, run_id
columns:
    condition_id      key           evaluation condition
    profile_id        key           scoring profile
    run_id            key           run
    chosen            ratio [0, 1]  under the definition that the profile names; NULL where it is not up to date
    smallest          ratio [0, 1]  under the definition that is kindest to the run
    smallest_rule     text          that definition, of several the first by name
    largest           ratio [0, 1]  under the one that is hardest on it
    largest_rule      text          that definition, of several the first by name
    spread            ratio [0, 1]  largest - smallest
    best_position     count         its best rank among the runs under any definition; 1 is the best
    worst_position    count         its worst rank
    score             score         where its error rates cross
    n_target_here     count         targets of just that score
    n_nontarget_here  count         non-targets of just that score
order:       Conditions and profiles by name, the largest spread first.
edges:       Of all trials together, and of the six definitions by trials: metric.verification_eer has the hull too.
see also:    equal_error, worst_subsets, metric.verification_eer
*/
with

wide as (
    select condition_id, profile_id, run_id, eer.*
    from metric.verification_eer_rule__v1 as eer
    join registry.counted_run using (run_no)
    join registry.profile using (profile_no)
    join base.subset using (condition_no, subset_no)
    where subset = $subset
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
),

rule as (
    select
        condition_id, profile_id, run_id,
        unnest([
            'nearest_point', 'nearest_corner', 'nearest_trial', 'nearest_max', 'target_step', 'interpolated'
        ]) as rule,
        unnest([nearest_point, nearest_corner, nearest_trial, nearest_max, target_step, interpolated]) as value
    from wide
),

placed as (
    select
        condition_id, profile_id, run_id, rule, value,
        rank() over (partition by condition_id, profile_id, rule order by value) as position
    from rule
),

reach as (
    select
        condition_id, profile_id, run_id,
        min(value) as smallest,
        arg_min(rule, (value, rule)) as smallest_rule,
        max(value) as largest,
        arg_min(rule, (-value, rule)) as largest_rule,
        min(position) as best_position,
        max(position) as worst_position
    from placed
    group by condition_id, profile_id, run_id
),

kept as (
    select condition_id, profile_id, run_id, value
    from report.score
    where metric = 'eer'
        and weighting = 'story'
        and subset = $subset
)

select
    condition_id, profile_id, run_id, kept.value as chosen, smallest, smallest_rule, largest, largest_rule,
    largest - smallest as spread,
    best_position, worst_position, wide.score, n_target_here, n_nontarget_here
from reach
join wide using (condition_id, profile_id, run_id)
left join kept using (condition_id, profile_id, run_id)
where run_id = coalesce($run, run_id)
order by condition_id, profile_id, spread desc, run_id
