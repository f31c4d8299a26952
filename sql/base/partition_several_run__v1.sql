/*
title:    Partition runs in which an item is in several clusters of a side
formula:  a row for each such run; where the gold has such an item, all runs of the condition
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5 (overlapping
          clustering)
inputs:   registry.run, base.partition_gold, base.partition_answer
grain:    run_no
columns:
    run_no  key  run
edges:    Before any policy: what a profile leaves may be a partition.
class:    exact
see also: partition_overlapping__v1
*/
with several as (
    select run_no from base.partition_answer where place > 1
    union all
    select run_no
    from registry.run join base.partition_gold using (condition_no)
    where place > 1
)

select distinct run_no from several
