/*
title:    How many clusters of each side two items share, of pairs that share several of a side
formula:  n_gold = |gold clusters of one n those of the other|; n_system likewise, of the run; after the policies
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (multiplicity of a
          pair)
inputs:   metric.partition_membership__v1
grain:    run_no, profile_no, subset_no, first_no, second_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    first_no    key    item
    second_no   key    item after it
    block_no    count  block of both
    n_gold      count  gold clusters that both are in
    n_system    count  clusters of the run that both are in
edges:    Only pairs with n_gold > 1 or n_system > 1 are here.
class:    exact
see also: membership__v1, repeated_pair__v1, several_ratio__v1
*/
-- two items that share several clusters of a side are both in several there
with several as (select * from metric.partition_membership__v1 where n_own > 1),

near as (
    select run_no, profile_no, subset_no, block_no, is_system, one.item_no as first_no, other.item_no as second_no
    from several as one
    join several as other using (run_no, profile_no, subset_no, block_no, is_system, cluster_no)
    where one.item_no < other.item_no
    group by all
    having count(*) > 1
),

pair as (select run_no, profile_no, subset_no, block_no, first_no, second_no from near group by all)

select
    run_no, profile_no, subset_no, first_no, second_no, block_no, whole_sum(1 - is_system) as n_gold,
    whole_sum(is_system) as n_system
from pair join metric.partition_membership__v1 as one using (run_no, profile_no, subset_no, block_no)
join metric.partition_membership__v1 as other using (run_no, profile_no, subset_no, block_no, is_system, cluster_no)
where one.item_no = first_no and other.item_no = second_no
group by all
