/*
title:    Mutual information adjusted for chance (AMI), block by block
formula:  as adjusted_value__v1, of the blocks
source:   N. Vinh, J. Epps, J. Bailey, Information Theoretic Measures for Clusterings Comparison (2010); as
          adjusted_value__v1
inputs:   metric.partition_adjusted_value__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no          key                  run
    profile_no      key                  scoring profile
    subset_no       key                  subset; 0 is all
    block_no        key                  block
    n_item          count                items of either side
    expected_mi     nats [-0.001, ]      Expected mutual information (nats)
    ami_arithmetic  ratio [ , 1.000001]  AMI, arithmetic mean
    ami             ratio [ , 1.000001]  AMI, arithmetic mean
    ami_geometric   ratio [ , 1.000001]  AMI, geometric mean
    ami_min         ratio [ , 1.000001]  AMI, smaller entropy
    ami_max         ratio [ , 1.000001]  AMI, larger entropy
    null_reason     text                 as adjusted_value__v1
metrics:
    expected_mi     n=n_item  best=none     Expected mutual information (nats)
    ami_arithmetic  n=n_item  best=highest  AMI, arithmetic mean
    ami             n=n_item  best=highest  AMI, arithmetic mean
    ami_geometric   n=n_item  best=highest  AMI, geometric mean
    ami_min         n=n_item  best=highest  AMI, smaller entropy
    ami_max         n=n_item  best=highest  AMI, larger entropy
class:    libm
see also: adjusted_value__v1, adjusted_score__v1
*/
select
    run_no, profile_no, subset_no, block_no, n_item, expected_mi, ami_arithmetic, ami, ami_geometric, ami_min, ami_max,
    null_reason
from metric.partition_adjusted_value__v1 where block_no > 0
