/*
title:    Pairs of cluster sizes, and how many items two random clusters of these sizes can share
formula:  a, b sizes of a gold cluster and of one of the run, N items: the overlap is hypergeometric on
          max(0, a + b - N) ... min(a, b), with mean a b / N and variance a b (N - a) (N - b) / (N^2 (N - 1)); what is
          more than 12 standard deviations and 40 items from the mean is 0 in a double
source:   N. Vinh, J. Epps, J. Bailey, Information Theoretic Measures for Clusterings Comparison (2010), section 4 (the
          hypergeometric model of randomness)
inputs:   metric.partition_cluster__v1, metric.partition_block_total__v1
grain:    run_no, profile_no, subset_no, block_no, gold_size, system_size
columns:
    run_no       key     run
    profile_no   key     scoring profile
    subset_no    key     subset; 0 is all
    block_no     key     block
    gold_size    key     items of a gold cluster
    system_size  key     items of a cluster of the run
    n_item       count   items of the block
    n_pair       count   pairs of a gold cluster and a cluster of the run of these sizes
    low          number  smallest overlap considered
    high         number  largest
edges:    A block whose sides have different items, or items in several clusters, is not here.
class:    exact
see also: expected_work__v1, expected_mi__v1
*/
with sized as (
    select run_no, profile_no, subset_no, block_no, is_system, n_size, whole_sum(n_cluster) as n_of_size
    from metric.partition_cluster__v1 group by all
),

pair as (
    select
        run_no, profile_no, subset_no, block_no, gold.n_size as gold_size, response.n_size as system_size,
        n_gold_item as n_item, gold.n_of_size * response.n_of_size as n_pair,
        case when gold_size + system_size > n_item then gold_size + system_size - n_item else 0 end as lowest,
        case when gold_size < system_size then gold_size else system_size end as highest,
        ratio(gold_size * system_size, n_gold_item) as mean,
        case
            when n_gold_item > 1
                then sqrt(
                    mean * (cast((n_item - gold_size) * (n_item - system_size) as double) / n_item) / (n_item - 1)
                )
            else 0e0
        end as deviation
    from metric.partition_block_total__v1 join sized as gold using (run_no, profile_no, subset_no, block_no)
    join sized as response using (run_no, profile_no, subset_no, block_no)
    where gold.is_system = 0 and response.is_system = 1 and n_gold_item = n_system_item
        and n_gold_item = n_shared_item and n_repeat = 0
)

select
    run_no, profile_no, subset_no, block_no, gold_size, system_size, n_item, n_pair,
    case
        when mean - 12 * deviation - 40 > lowest then cast(floor(mean - 12 * deviation - 40) as bigint) else lowest
    end as low,
    case
        when mean + 12 * deviation + 40 < highest then cast(ceil(mean + 12 * deviation + 40) as bigint) else highest
    end as high
from pair
