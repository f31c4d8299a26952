/*
title:    For each metric how many of its numbers were computed again from the counts of topics, and those that differ
          in a bit
*/
with number as (
    select
        computation_no, kept.metric, kept.subset_no, kept.weighting, null as block_no, kept.value, again.value as now,
        kept.n <> again.n as has_other_n
    from ledger.result_score as kept
    join again_score as again using (computation_no, subset_no, metric, weighting, version)
    union all
    select
        computation_no, kept.metric, kept.subset_no, null, kept.block_no, kept.value, again.value, false
    from ledger.result_block as kept
    join again_block as again using (computation_no, subset_no, block_no, metric, version)
)

select
    metric, count(*) as n,
    coalesce(list(
        [condition_id || '/' || run_id, profile_id, cast(subset_no as varchar)]
        order by computation_no, weighting, block_no, subset_no
    ) filter (is_other), []) as names,
    coalesce(list(
        [value, now] order by computation_no, weighting, block_no, subset_no
    ) filter (is_other), []) as numbers
from (
    -- as texts, for 0 and -0 are equal
    select *, has_other_n or cast(value as varchar) is distinct from cast(now as varchar) as is_other
    from number
)
join ledger.computation using (computation_no)
join registry.run using (run_no)
join registry.condition using (condition_no)
join registry.profile using (profile_no)
group by metric
order by metric
