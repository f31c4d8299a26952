/*
title:    Entropies of both sides and their mutual information, block by block
formula:  H = - sum a / N ln(a / N); MI = sum n / N ln(N n / (a b)), natural logarithms
source:   A. Strehl, J. Ghosh, Cluster Ensembles (2002), section 2; N. Vinh, J. Epps, J. Bailey (2010), section 3.1
inputs:   metric.partition_cluster__v1, metric.partition_shared_cell__v1, metric.partition_block_total__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no          key        run
    profile_no      key        scoring profile
    subset_no       key        subset; 0 is all
    block_no        key        block
    entropy_gold    nats [0, ]  entropy of the gold
    entropy_system  nats [0, ]  entropy of the run
    mi              nats [0, ]  mutual information; never below 0, which rounding might give
edges:    A block whose sides have different items, or items in several clusters, is not here, nor one without items.
class:    libm
see also: information_value__v1, expected_mi__v1
*/
with same as (
    select run_no, profile_no, subset_no, block_no, n_gold_item as n_item
    from metric.partition_block_total__v1
    where n_gold_item > 0 and n_gold_item = n_system_item and n_gold_item = n_shared_item and n_repeat = 0
),

surprise as (
    select
        run_no, profile_no, subset_no, block_no, is_system, n_cluster,
        case when n_item > 0 then cast(n_size as double) / n_item * -ln(cast(n_size as double) / n_item) end as h
    from metric.partition_cluster__v1
    join same using (run_no, profile_no, subset_no, block_no)
),

entropy as (
    select
        run_no, profile_no, subset_no, block_no,
        cast(sum(case when is_system = 0 then whole_units(h, 1e18) * n_cluster else 0 end) as double) / 1e18 as h_gold,
        cast(sum(case when is_system = 1 then whole_units(h, 1e18) * n_cluster else 0 end) as double) / 1e18 as h_system
    from surprise
    group by run_no, profile_no, subset_no, block_no
),

term as (
    select
        run_no, profile_no, subset_no, block_no, n_cell,
        case
            when n_item > 0
                then cast(n_overlap as double) / n_item
                * ln(cast(n_item * n_overlap as double) / cast(n_gold_size * n_system_size as double))
        end as information
    from metric.partition_shared_cell__v1
    join same using (run_no, profile_no, subset_no, block_no)
),

shared as (
    select
        run_no, profile_no, subset_no, block_no,
        cast(sum(whole_units(information, 1e18) * n_cell) as double) / 1e18 as sum_information
    from term
    group by run_no, profile_no, subset_no, block_no
)

select
    run_no, profile_no, subset_no, block_no, h_gold as entropy_gold, h_system as entropy_system,
    case when sum_information > 0 then sum_information else 0e0 end as mi
from entropy
join shared using (run_no, profile_no, subset_no, block_no)
