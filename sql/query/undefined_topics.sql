/*
title:       Topics excluded from means
question:    Which topics have no targets or no non-targets, so that their cost is undefined and in no mean?
about:       topics
inputs:      report.block_score
parameters:
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    subset     subset     none  one subset; none: all of them
grain:       condition_id, profile_id, subset, block_id
columns:
    condition_id  key    evaluation condition
    profile_id    key    scoring profile
    subset        key    all, or what the numbers are conditioned on
    block_id      key    topic or block of links
    n_target      count  scored target trials
    n_nontarget   count  scored non-target trials, the fewest of any run
    reason        text   what it lacks
order:       Conditions, profiles, subsets and topics by name.
see also:    topic_sizes, report.block_score
*/
with

size as (
    select
        condition_id, profile_id, subset, block_id,
        min(case when metric = 'n_target' then cast(value as bigint) end) as n_target,
        min(case when metric = 'n_nontarget' then cast(value as bigint) end) as n_nontarget
    from report.block_score
    where metric in ('n_target', 'n_nontarget')
        and condition_id = coalesce($condition, condition_id)
        and profile_id = coalesce($profile, profile_id)
        and subset = coalesce($subset, subset)
    group by condition_id, profile_id, subset, block_id
)

select
    condition_id, profile_id, subset, block_id, n_target, n_nontarget,
    case
        when n_target = 0 and n_nontarget = 0 then 'no trials'
        when n_target = 0 then 'no targets'
        else 'no non-targets'
    end as reason
from size
where n_target = 0 or n_nontarget = 0
order by condition_id, profile_id, subset, block_id
