/*
title:    Extended B-CUBED, block by block
formula:  as extended_value__v1, of the blocks
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5; as
          extended_value__v1
inputs:   metric.partition_extended_value__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; 0 is all
    block_no          key           block
    n_item            count         items of either side
    b3_ext_precision  ratio [0, 1]  Extended B-CUBED precision
    b3_ext_recall     ratio [0, 1]  Extended B-CUBED recall
    b3_ext_f1         ratio [0, 1]  Extended B-CUBED F1
metrics:
    b3_ext_precision  n=n_item  best=highest  Extended B-CUBED precision
    b3_ext_recall     n=n_item  best=highest  Extended B-CUBED recall
    b3_ext_f1         n=n_item  best=highest  Extended B-CUBED F1
class:    exact
see also: extended_value__v1, extended_score__v1
*/
select run_no, profile_no, subset_no, block_no, n_item, b3_ext_precision, b3_ext_recall, b3_ext_f1
from metric.partition_extended_value__v1 where block_no > 0
