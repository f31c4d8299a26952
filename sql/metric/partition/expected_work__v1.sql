/*
title:    How much work the expected mutual information of a run is, and whether it is made
formula:  n_term = sum of (high - low + 1) over the pairs of sizes; computed up to 5,000,000 of a run under a profile
source:   Our own: the sum has a term for each overlap that two random clusters can have
inputs:   metric.partition_size_pair__v1
grain:    run_no, profile_no, subset_no
columns:
    run_no      key    run
    profile_no  key    scoring profile
    subset_no   key    subset; 0 is all
    n_term      count  terms
    is_made     flag   1: computed; 0: computed on request (`tdtsql score --metric ami`)
edges:    A run without pairs of sizes has no row.
class:    exact
see also: expected_mi__v1
*/
select
    run_no, profile_no, subset_no, whole_sum(high - low + 1) as n_term,
    case when n_term <= 5000000 then 1 else 0 end as is_made
from metric.partition_size_pair__v1 group by all
