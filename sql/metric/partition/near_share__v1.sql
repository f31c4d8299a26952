/*
title:    How many clusters of each side two items share, of pairs that can share several
formula:  n_gold = |gold clusters of one n those of the other|; n_system likewise, of the run
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (multiplicity of a
          pair)
inputs:   metric.partition_near_pair__v1, base.partition_gold, base.partition_answer, base.partition_gold_cluster,
          base.partition_cluster
grain:    run_no, profile_no, first_no, second_no
columns:
    run_no        key    run
    profile_no    key    scoring profile
    first_no      key    item
    second_no     key    item after it
    condition_no  count  condition of the run
    block_no      count  block of both
    n_gold        count  gold clusters that both are in
    n_system      count  clusters of the run that both are in
class:    exact
see also: near_pair__v1, repeated_pair__v1, extended_part__v1
*/
with

pair_item as (
    select run_no, profile_no, condition_no, is_first_only, first_no as item_no
    from metric.partition_near_pair__v1
    union all
    select run_no, profile_no, condition_no, is_first_only, second_no as item_no
    from metric.partition_near_pair__v1
),

-- of these items alone: all others would be paired in vain
item as (
    select run_no, profile_no, condition_no, is_first_only, item_no
    from pair_item
    group by run_no, profile_no, condition_no, is_first_only, item_no
),

gold_near as (
    select run_no, profile_no, item_no, cluster_no
    from item
    join base.partition_gold using (condition_no, item_no)
),

answer_near as (
    select run_no, profile_no, item_no, cluster_no
    from item
    join base.partition_answer using (run_no, item_no)
    where case when is_first_only = 1 and place > 1 then 0 else 1 end = 1
),

gold_shared as (
    select run_no, profile_no, first_no, second_no, max(one.cluster_no) as gold_no, count(*) as n_gold_both
    from metric.partition_near_pair__v1
    join gold_near as one using (run_no, profile_no)
    join gold_near as other using (run_no, profile_no, cluster_no)
    where one.item_no = first_no and other.item_no = second_no
    group by run_no, profile_no, first_no, second_no
),

system_shared as (
    select run_no, profile_no, first_no, second_no, max(one.cluster_no) as system_no, count(*) as n_system_both
    from metric.partition_near_pair__v1
    join answer_near as one using (run_no, profile_no)
    join answer_near as other using (run_no, profile_no, cluster_no)
    where one.item_no = first_no and other.item_no = second_no
    group by run_no, profile_no, first_no, second_no
),

gold_block as (
    select condition_no, cluster_no as gold_no, block_no as gold_block_no
    from base.partition_gold_cluster
),

system_block as (
    select run_no, cluster_no as system_no, block_no as system_block_no
    from base.partition_cluster
)

select
    run_no, profile_no, first_no, second_no, condition_no,
    coalesce(gold_block_no, system_block_no) as block_no,
    coalesce(n_gold_both, 0) as n_gold,
    coalesce(n_system_both, 0) as n_system
from metric.partition_near_pair__v1
left join gold_shared using (run_no, profile_no, first_no, second_no)
left join system_shared using (run_no, profile_no, first_no, second_no)
left join gold_block using (condition_no, gold_no)
left join system_block using (run_no, system_no)
