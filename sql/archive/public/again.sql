/*
title:    How many scores there are, how many of them were computed again from the counts of topics, metrics of which
          none was, and each score that differs in a bit
*/
with

number as (
    select
        computation_no, kept.metric, kept.subset_no, kept.weighting, null as block_no, kept.value, again.value as now,
        again.computation_no is not null as is_again, kept.n <> again.n as has_other_n
    from ledger.result_score as kept
    left join again_score as again using (computation_no, subset_no, metric, weighting, version)
    union all
    select
        computation_no, kept.metric, kept.subset_no, null, kept.block_no, kept.value, again.value,
        again.computation_no is not null, false
    from ledger.result_block as kept
    left join again_block as again using (computation_no, subset_no, block_no, metric, version)
),

compared as (
    -- as texts, for 0 and -0 are equal
    select
        *, is_again and (has_other_n or cast(value as varchar) is distinct from cast(now as varchar)) as is_other
    from number
)

select
    count(*) as n,
    count(*) filter (is_again) as n_again,
    (
        select coalesce(list(metric order by metric), [])
        from (select metric from number group by metric having not bool_or(is_again))
    ) as missing,
    coalesce(list(
        struct_pack(
            run := condition_id || '/' || run_id, profile := profile_id,
            place := metric || ', subset ' || subset_no || ', from the counts of its topics', kept := value,
            again := now
        ) order by metric, computation_no, weighting, block_no, subset_no
    ) filter (is_other), []) as divergences
from compared
join ledger.computation using (computation_no)
join registry.run using (run_no)
join registry.condition using (condition_no)
join registry.profile using (profile_no)
