/*
title:    The clusters of either side, and how they are found on the other
formula:  of cluster x with size s and overlaps n(x, y): n_shared = sum n, n_square = sum n^2, n_largest = max n
          square_sum = n_square / s (the sum of the B-CUBED ratios of its items), square_mean = n_square / s^2,
          link_sum = sum n (n - 1) / (s - 1) (size times the share of its links that the other side has)
source:   A. Bagga, B. Baldwin, Algorithms for Scoring Coreference Chains (1998), section 3; N. Moosavi, M. Strube,
          Which
          Coreference Evaluation Metric Do You Trust? (2016), section 4 (LEA)
inputs:   metric.partition_cell__v1
grain:    run_no, profile_no, subset_no, block_no, is_system, cluster_no
columns:
    run_no       key          run
    profile_no   key          scoring profile
    subset_no    key          subset; 0 is all
    block_no     key          block
    is_system    key          1: a cluster of the run; 0: of the gold
    cluster_no   key          cluster; -1: clusters of one item each, in one row; -2: as in cell__v1
    n_cluster    count        clusters of the row: 1, or more where cluster_no is -1
    n_size       count        items of each
    n_shared     count        items that the other side has
    n_square     count        sum of the squares of the overlaps
    n_largest    count        largest overlap; where cluster_no is -1 their sum
    square_sum   fixed 1e-15  n_square / n_size
    square_mean  fixed 1e-15  n_square / n_size^2
    link_sum     fixed 1e-15  sum n (n - 1) / (n_size - 1); 0 where n_size is 1
edges:    Of one item each: every overlap is one item.
class:    exact
see also: cell__v1, block_total__v1
*/
with side as (
    select *, 0 as is_system, gold_no as cluster_no, system_no as other_no, n_gold as n_own
    from metric.partition_cell__v1 where gold_no <> 0
    union all
    select *, 1 as is_system, system_no as cluster_no, gold_no as other_no, n_system as n_own
    from metric.partition_cell__v1 where system_no <> 0
),

sized as (
    select
        run_no, profile_no, subset_no, block_no, is_system, cluster_no,
        case when cluster_no = -1 then whole_sum(n_own) else cast(1 as bigint) end as n_cluster,
        case when cluster_no = -1 then cast(1 as bigint) else whole_sum(n_own) end as n_size,
        whole_sum(case when other_no <> 0 then n_item else 0 end) as n_shared,
        whole_sum(
            case when other_no = 0 then 0 when other_no = -1 or cluster_no = -1 then n_item else n_item * n_item end
        ) as n_square,
        case
            when cluster_no = -1 then n_shared
            else max(case when other_no = 0 then 0 when other_no = -1 then 1 else n_item end)
        end as n_largest
    from side group by run_no, profile_no, subset_no, block_no, is_system, cluster_no
)

-- quotients in units of 1e-15: the whole part exactly, the rest rounded
select
    run_no, profile_no, subset_no, block_no, is_system, cluster_no, n_cluster, n_size, n_shared, n_square, n_largest,
    ratio_units(n_square, n_size) as square_sum,
    case
        when n_size = 1 then count_units(n_square)
        when n_size > 1 then whole_units(cast(n_square as double) / n_size / n_size)
    end as square_mean,
    coalesce(ratio_units(n_square - n_shared, n_size - 1), 0) as link_sum
from sized
