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
    select *, ratio(n_size, n_item) * -ln(ratio(n_size, n_item)) as h
    from metric.partition_cluster__v1 join same using (run_no, profile_no, subset_no, block_no)
),

entropy as (
    select
        run_no, profile_no, subset_no, block_no,
        cast(sum(case when is_system = 0 then whole_units(h, 1e18) * n_cluster else 0 end) as double) / 1e18
            as entropy_gold,
        cast(sum(case when is_system = 1 then whole_units(h, 1e18) * n_cluster else 0 end) as double) / 1e18
            as entropy_system
    from surprise group by all
),

term as (
    select
        *,
        ratio(n_overlap, n_item) * ln(ratio(n_item * n_overlap, cast(n_gold_size * n_system_size as double)))
            as information
    from metric.partition_shared_cell__v1 join same using (run_no, profile_no, subset_no, block_no)
),

shared as (
    select
        run_no, profile_no, subset_no, block_no,
        cast(sum(whole_units(information, 1e18) * n_cell) as double) / 1e18 as information
    from term group by all
)

select
    run_no, profile_no, subset_no, block_no, entropy_gold, entropy_system,
    case when information > 0 then information else 0e0 end as mi
from entropy join shared using (run_no, profile_no, subset_no, block_no)
