/*
title:    Extended B-CUBED of a run: over all blocks together and as means over the blocks
formula:  story: numerators and denominators added over the blocks, divided once; topic: mean of the numbers of the
          blocks that have one, F1 the mean of their F1
source:   E. Amigo et al., A comparison of extrinsic clustering evaluation metrics (2009), section 5; as
          extended_value__v1; coreference scorers add over documents (story)
inputs:   metric.partition_extended_value__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no              key           run
    profile_no          key           scoring profile
    subset_no           key           subset; 0 is all
    weighting           key           story: all blocks together; topic: mean over the blocks
    b3_ext_precision    ratio [0, 1]  Extended B-CUBED precision
    b3_ext_recall       ratio [0, 1]  Extended B-CUBED recall
    b3_ext_f1           ratio [0, 1]  Extended B-CUBED F1
    n_block             count         blocks; story: items
    n_b3_ext_precision  count         blocks with b3_ext_precision; story: items, 0 where it is NULL
    n_b3_ext_recall     count         blocks with b3_ext_recall; story: items, 0 where it is NULL
    n_b3_ext_f1         count         blocks with b3_ext_f1; story: items, 0 where it is NULL
metrics:
    b3_ext_precision  n=n_b3_ext_precision  best=highest  Extended B-CUBED precision
    b3_ext_recall     n=n_b3_ext_recall     best=highest  Extended B-CUBED recall
    b3_ext_f1         n=n_b3_ext_f1         best=highest  Extended B-CUBED F1
edges:    Items of one block only: both weightings are the number of that block.
class:    exact
see also: extended_value__v1, extended_block__v1
*/
select
    run_no, profile_no, subset_no, case when block_no = 0 then 'story' else 'topic' end as weighting,
    exact_mean(b3_ext_precision) as b3_ext_precision, exact_mean(b3_ext_recall) as b3_ext_recall,
    exact_mean(b3_ext_f1) as b3_ext_f1, unit_count(0, block_no, n_item) as n_block,
    unit_count(b3_ext_precision, block_no, n_item) as n_b3_ext_precision,
    unit_count(b3_ext_recall, block_no, n_item) as n_b3_ext_recall,
    unit_count(b3_ext_f1, block_no, n_item) as n_b3_ext_f1
from metric.partition_extended_value__v1 group by all
