/*
title:    Memberships of partition runs in which an item is in several clusters of a side
formula:  all memberships of such a run, those of its gold too
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (overlapping
          clustering)
inputs:   registry.run, base.partition_gold, base.partition_answer
grain:    run_no, story_no, block_no, is_response
columns:
    run_no       key  run
    story_no     key  item
    block_no     key  cluster: of the gold, or of the run
    is_response  key  1: cluster of the run; 0: of the gold
edges:    A run whose items are in one cluster at most on each side is not here.
class:    exact
see also: partition_cell__v1
*/
with

several as (
    select run_no
    from base.partition_answer
    where place > 1
    union all
    select run_no
    from registry.run
    join base.partition_gold using (condition_no)
    where place > 1
),

overlapping as (
    select run_no
    from several
    group by run_no
)

select
    run_no,
    item_no as story_no,
    cluster_no as block_no,
    0 as is_response
from overlapping
join registry.run using (run_no)
join base.partition_gold using (condition_no)
union all
select
    run_no,
    item_no as story_no,
    cluster_no as block_no,
    1 as is_response
from overlapping
join base.partition_answer using (run_no)
