/*
title:    What entropies, mutual information and its expectation are, and why they are not, of each block and of the
          whole
formula:  the values of information__v1 and expected_mi__v1; the whole has those of its block where there is only one
source:   N. Vinh, J. Epps, J. Bailey, Information Theoretic Measures for Clusterings Comparison (2010), section 3
inputs:   metric.partition_total__v1, metric.partition_information__v1, metric.partition_expected_mi__v1,
          metric.partition_expected_work__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no          key        run
    profile_no      key        scoring profile
    subset_no       key        subset; 0 is all
    block_no        key        block; 0: all together
    n_item          count      items of either side
    entropy_gold    nats [0, ]  entropy of the gold
    entropy_system  nats [0, ]  entropy of the run
    mi              nats [0, ]  mutual information
    expected_mi     nats [-0.001, ]  what clusters of the same sizes share by chance
    n_one           count      sides that are one cluster
    is_known        flag       1: a side is one cluster or single items, so that MI = E[MI] by the counts alone
    is_alike        flag       1: both sides are one cluster, or both are single items
    reference_word  text       degenerate of the profile, where other programs print a number
    null_reason     text       several clusters; different items; several blocks (they do not add up); too many terms
                               (expected_mi was not made)
edges:    Without items all are NULL.
class:    libm
see also: information_value__v1, adjusted_value__v1
*/
-- of each block, and of the whole where it is one block
with drawn as (
    select
        run_no, profile_no, subset_no, case when is_whole = 1 then 0 else block_no end as block_no,
        max(entropy_gold) as h_gold, max(entropy_system) as h_system, max(mi) as information, max(expected_mi) as chance
    from metric.partition_information__v1
    left join metric.partition_expected_mi__v1 using (run_no, profile_no, subset_no, block_no)
    cross join (select 0 as is_whole union all select 1 as is_whole) as reach
    group by all
),

comparable as (
    select
        total.*, h_gold, h_system, information, chance, degenerate,
        case
            when n_repeat > 0 then 'several clusters'
            when n_gold_item <> n_system_item or n_gold_item <> n_shared_item then 'different items'
            when n_block > 1 then 'several blocks'
            when n_item > 0 and is_made = 0 then 'too many terms'
        end as null_reason,
        case when n_gold_cluster = 1 then 1 when n_gold_cluster = n_gold_item then 2 else 0 end as gold_kind,
        case when n_system_cluster = 1 then 1 when n_system_cluster = n_system_item then 2 else 0 end as system_kind,
        case when n_item = 0 then 0 when coalesce(null_reason, 'too many terms') = 'too many terms' then 1 else 0 end
            as is_measured
    from metric.partition_total__v1 as total join registry.profile using (profile_no)
    left join drawn using (run_no, profile_no, subset_no, block_no)
    left join metric.partition_expected_work__v1 using (run_no, profile_no, subset_no)
)

select
    run_no, profile_no, subset_no, block_no, n_item, case when is_measured = 1 then h_gold end as entropy_gold,
    case when is_measured = 1 then h_system end as entropy_system, case when is_measured = 1 then information end as mi,
    case when is_measured = 1 then chance end as expected_mi,
    case when gold_kind = 1 then 1 else 0 end + case when system_kind = 1 then 1 else 0 end as n_one,
    case when is_measured = 1 and (gold_kind > 0 or system_kind > 0) then 1 else 0 end as is_known,
    case when is_measured = 1 and gold_kind > 0 and gold_kind = system_kind then 1 else 0 end as is_alike,
    case when is_measured = 1 then degenerate end as reference_word, null_reason
from comparable
