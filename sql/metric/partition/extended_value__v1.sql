/*
title:    Extended B-CUBED: of each block, and of all together
formula:  where no item is in several clusters that of overlap_value__v1; else the mean over the items of a side of the
          mean of min(k, k') / k over the items that share k > 0 clusters of that side and k' of the other
          (extended_part__v1)
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5
inputs:   metric.partition_overlap_value__v1, metric.partition_extended_part__v1
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
edges:    0/0 is NULL: no item.
class:    exact
see also: extended_part__v1, extended_block__v1, extended_score__v1
*/
with value as (
    select
        overlap.*,
        case when null_reason is null then b3_precision else part.b3_ext_precision end as b3_ext_precision,
        case when null_reason is null then b3_recall else part.b3_ext_recall end as b3_ext_recall
    from metric.partition_overlap_value__v1 as overlap
    left join metric.partition_extended_part__v1 as part using (run_no, profile_no, subset_no, block_no)
)

select
    run_no, profile_no, subset_no, block_no, n_item, b3_ext_precision, b3_ext_recall,
    harmonic_mean(b3_ext_precision, b3_ext_recall) as b3_ext_f1
from value
