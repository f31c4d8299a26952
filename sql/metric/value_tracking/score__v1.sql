/*
title:    Expected error of a run: means over the events that have the attribute
formula:  mean of EE over the events that have a true value of the attribute
source:   TREC 2013 Temporal Summarization Metrics, eq. 26; overview of TREC 2013 Temporal Summarization, table 3
inputs:   metric.value_tracking_error__v1, base.attribute, registry.run
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no      key     run
    profile_no  key     scoring profile
    subset_no   key     attribute=NAME; 0: all attributes
    weighting   key     topic
    ee          unit of the attribute  mean expected error
    n_block     blocks  attributes of events in the mean
metrics:
    ee  n=n_block  best=lowest  Mean expected error
edges:    The number of subset all mixes persons, dollars and kilometres; it ranks runs, it is no quantity.
class:    exact
see also: error__v1
*/
with

member as (
    select run_no, profile_no, attribute.subset_no, block_no, ee as block_ee
    from metric.value_tracking_error__v1
    join registry.run using (run_no)
    join base.attribute using (condition_no, block_no)

    union all

    select run_no, profile_no, subset_no, block_no, ee as block_ee
    from metric.value_tracking_error__v1
)

select
    run_no, profile_no, subset_no,
    'topic' as weighting,
    ratio(exact_sum_wide(block_ee), count(*)) as ee,
    count(*) as n_block
from member
group by run_no, profile_no, subset_no
