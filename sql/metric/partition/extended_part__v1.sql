/*
title:    Extended B-CUBED where the policies leave items in several clusters of a side, by subset and block
formula:  mean over the items of a side of several_ratio__v1; of items in one cluster at most on each side by cells:
          sum over them = sum_y n(x, y) N(x, y) / N(x)
          N(x), N(x, y): all items of cluster x, of x and y; n(x, y): those of them in one cluster at most on each side
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (multiplicity
          precision and recall)
inputs:   metric.partition_several_pair__v1, metric.partition_several_ratio__v1, metric.partition_cluster__v1,
          metric.partition_cell__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; 0 is all
    block_no          key           block; 0: all together
    b3_ext_precision  ratio [0, 1]  mean over the items of the run; NULL if none
    b3_ext_recall     ratio [0, 1]  mean over the items of the gold; NULL if none
edges:    No row if the policies leave every item in at most one cluster per side.
class:    exact
see also: extended_value__v1, several_ratio__v1
*/
with several_run as (select distinct run_no, profile_no, subset_no from metric.partition_several_pair__v1),

several_cell as (
    select run_no, profile_no, subset_no, block_no, is_system, cluster_no, other_no, count(*) as n_several
    from metric.partition_several_pair__v1 group by all
),

own_cell as (
    select
        cell.*, is_system, case when is_system = 1 then system_no else gold_no end as cluster_no,
        case when is_system = 1 then gold_no else system_no end as other_no
    from metric.partition_cell__v1 as cell
    join several_run using (run_no, profile_no, subset_no)
    cross join (select 0 as is_system union all select 1 as is_system) as side
),

single as (
    select
        run_no, profile_no, subset_no, block_no, is_system, cluster_no,
        whole_sum(n_item - coalesce(n_several, 0)) as n_single,
        whole_sum(case when other_no <> 0 then n_item * (n_item - coalesce(n_several, 0)) else 0 end) as n_single_square
    from own_cell
    left join several_cell using (run_no, profile_no, subset_no, block_no, is_system, cluster_no, other_no)
    where cluster_no <> 0
    group by all
),

-- n_single_square / n_size in units of 1e-15: the whole part exactly, the rest rounded; of each block, and of the whole
part as (
    select
        run_no, profile_no, subset_no, block_no, is_system, n_single as n_item,
        ratio_units(n_single_square, n_size) as units
    from single join metric.partition_cluster__v1 using (run_no, profile_no, subset_no, block_no, is_system, cluster_no)
    union all
    select run_no, profile_no, subset_no, block_no, is_system, 1 as n_item, whole_units(ratio) as units
    from metric.partition_several_ratio__v1
)

select
    run_no, profile_no, subset_no, case when is_whole = 1 then 0 else block_no end as block_no,
    ratio(
        cast(sum(units) filter (where is_system = 1) as double),
        1e15 * whole_sum(case when is_system = 1 then n_item end)
    ) as b3_ext_precision,
    ratio(
        cast(sum(units) filter (where is_system = 0) as double),
        1e15 * whole_sum(case when is_system = 0 then n_item end)
    ) as b3_ext_recall
from part
cross join (select 0 as is_whole union all select 1 as is_whole) as reach
group by all
