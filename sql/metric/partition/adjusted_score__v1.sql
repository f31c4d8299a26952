/*
title:    Mutual information adjusted for chance (AMI) of a run: over all blocks together and as means over the blocks
formula:  story: numerators and denominators added over the blocks, divided once; topic: mean of the numbers of the
          blocks that have one, F1 the mean of their F1
source:   N. Vinh, J. Epps, J. Bailey, Information Theoretic Measures for Clusterings Comparison (2010); as
          adjusted_value__v1; coreference scorers add over documents (story)
inputs:   metric.partition_adjusted_value__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no            key                  run
    profile_no        key                  scoring profile
    subset_no         key                  subset; 0 is all
    weighting         key                  story: all blocks together; topic: mean over the blocks
    expected_mi       nats [-0.001, ]      Expected mutual information (nats)
    ami_arithmetic    ratio [ , 1.000001]  AMI, arithmetic mean
    ami               ratio [ , 1.000001]  AMI, arithmetic mean
    ami_geometric     ratio [ , 1.000001]  AMI, geometric mean
    ami_min           ratio [ , 1.000001]  AMI, smaller entropy
    ami_max           ratio [ , 1.000001]  AMI, larger entropy
    n_block           count                blocks; story: items
    n_expected_mi     count                blocks with expected_mi; story: items, 0 where it is NULL
    n_ami_arithmetic  count                blocks with ami_arithmetic; story: items, 0 where it is NULL
    n_ami             count                blocks with ami; story: items, 0 where it is NULL
    n_ami_geometric   count                blocks with ami_geometric; story: items, 0 where it is NULL
    n_ami_min         count                blocks with ami_min; story: items, 0 where it is NULL
    n_ami_max         count                blocks with ami_max; story: items, 0 where it is NULL
    null_reason       text                 as adjusted_value__v1; topic: of some block
metrics:
    expected_mi     n=n_expected_mi     best=none     Expected mutual information (nats)
    ami_arithmetic  n=n_ami_arithmetic  best=highest  AMI, arithmetic mean
    ami             n=n_ami             best=highest  AMI, arithmetic mean
    ami_geometric   n=n_ami_geometric   best=highest  AMI, geometric mean
    ami_min         n=n_ami_min         best=highest  AMI, smaller entropy
    ami_max         n=n_ami_max         best=highest  AMI, larger entropy
edges:    Items of one block only: both weightings are the number of that block.
class:    libm
see also: adjusted_value__v1, adjusted_block__v1
*/
select
    run_no, profile_no, subset_no, case when block_no = 0 then 'story' else 'topic' end as weighting,
    exact_mean(expected_mi) as expected_mi, exact_mean(ami_arithmetic) as ami_arithmetic, exact_mean(ami) as ami,
    exact_mean(ami_geometric) as ami_geometric, exact_mean(ami_min) as ami_min, exact_mean(ami_max) as ami_max,
    unit_count(0, block_no, n_item) as n_block, unit_count(expected_mi, block_no, n_item) as n_expected_mi,
    unit_count(ami_arithmetic, block_no, n_item) as n_ami_arithmetic, unit_count(ami, block_no, n_item) as n_ami,
    unit_count(ami_geometric, block_no, n_item) as n_ami_geometric, unit_count(ami_min, block_no, n_item) as n_ami_min,
    unit_count(ami_max, block_no, n_item) as n_ami_max, max(null_reason) as null_reason
from metric.partition_adjusted_value__v1 group by all
