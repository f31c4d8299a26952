/*
title:    Extended B-CUBED: of each block, and of all together
formula:  where no item is in several clusters that of overlap_value__v1; else the mean over the items of a side of
          min(k, k') / k over the items that share k > 0 clusters of that side and k' of the other
          (metric.bcubed_extended_score__v1; of subsets and of one of several blocks extended_part__v1)
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5
inputs:   metric.partition_total__v1, metric.partition_overlap_value__v1, metric.bcubed_extended_score__v1,
          metric.partition_extended_part__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; 0 is all
    block_no          key           block; 0: all together
    n_item            count         items of either side
    b3_ext_precision  ratio [0, 1]  mean over the items of the run
    b3_ext_recall     ratio [0, 1]  mean over the items of the gold
    b3_ext_f1         ratio [0, 1]  harmonic mean of the two
    null_reason       text          items in several clusters: policy (known for items that a side lacks excluded, all
                                    else kept); too many pairs (`tdtsql score --metric b3_ext_f1` makes them)
edges:    A single block has the number of the whole.
class:    exact
see also: extended_part__v1, extended_block__v1, extended_score__v1
*/
with

several as (
    select
        run_no, profile_no, subset_no,
        b3_ext_precision as several_precision, b3_ext_recall as several_recall, null_reason as several_reason
    from metric.bcubed_extended_score__v1
    where weighting = 'story'
),

part as (
    select
        run_no, profile_no, subset_no, block_no,
        b3_ext_precision as part_precision, b3_ext_recall as part_recall
    from metric.partition_extended_part__v1
),

state as (
    select
        run_no, profile_no, subset_no, block_no, total.n_item as n_item_of_part, b3_precision, b3_recall,
        several_precision, several_recall, part_precision, part_recall,
        case
            when n_repeat = 0 then 'one cluster'
            when missing_item <> 'exclude' or spurious_item <> 'exclude' then 'policy'
            when singleton_cluster <> 'keep' or noise_cluster <> 'keep' or repeated_item <> 'keep' then 'policy'
            when subset_no > 0 then 'part'
            when block_no > 0 and n_block_of_run > 1 then 'part'
            else coalesce(several_reason, 'several clusters')
        end as reason
    from metric.partition_total__v1 as total
    join (
        select run_no, profile_no, subset_no, n_block as n_block_of_run
        from metric.partition_total__v1
        where block_no = 0
    ) as whole using (run_no, profile_no, subset_no)
    join metric.partition_overlap_value__v1 as overlap using (run_no, profile_no, subset_no, block_no)
    join registry.profile using (profile_no)
    left join several using (run_no, profile_no, subset_no)
    left join part using (run_no, profile_no, subset_no, block_no)
),

value as (
    select
        run_no, profile_no, subset_no, block_no, n_item_of_part, reason,
        case
            when reason = 'one cluster' then b3_precision
            when reason = 'several clusters' then several_precision
            when reason = 'part' then part_precision
        end as value_precision,
        case
            when reason = 'one cluster' then b3_recall
            when reason = 'several clusters' then several_recall
            when reason = 'part' then part_recall
        end as value_recall
    from state
)

select
    run_no, profile_no, subset_no, block_no,
    n_item_of_part as n_item,
    value_precision as b3_ext_precision,
    value_recall as b3_ext_recall,
    harmonic_mean(value_precision, value_recall) as b3_ext_f1,
    case when reason in ('one cluster', 'several clusters', 'part') then null else reason end as null_reason
from value
