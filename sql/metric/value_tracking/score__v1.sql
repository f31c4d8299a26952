/*
title:    Expected error of a run: means over the events that have the attribute
formula:  mean of EE over the events that have a true value of the attribute; over all attributes only where they have
          one unit: deaths, injuries and displaced are persons, financialimpact dollars, locations kilometres
source:   TREC 2013 Temporal Summarization Metrics, eq. 26; overview of TREC 2013 Temporal Summarization, table 3
inputs:   metric.value_tracking_error__v1, base.attribute, registry.run
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no       key     run
    profile_no   key     scoring profile
    subset_no    key     attribute=NAME; 0: all attributes
    weighting    key     topic
    ee           unit of the attribute  mean expected error; NULL over several units
    n_block      blocks  attributes of events in the mean; 0 if none
    null_reason  text    several units: NULL because persons, dollars and kilometres have no mean
metrics:
    ee  n=n_block  best=lowest  Mean expected error
edges:    The overview of TREC 2013 (table 3) ranks runs by each attribute, and so does report.leaderboard.
class:    exact
see also: error__v1
*/
-- 1 persons, 2 dollars, 3 kilometres
with member as (
    select error.*, case attribute when 'locations' then 3 when 'financialimpact' then 2 else 1 end as unit
    from metric.value_tracking_error__v1 as error join registry.run using (run_no)
    join base.attribute using (condition_no, block_no)
)

select
    run_no, profile_no, subset_no, 'topic' as weighting,
    case when min(unit) = max(unit) then ratio(exact_sum_wide(member.ee), count(*)) end as ee,
    case when min(unit) = max(unit) then count(*) else 0 end as n_block,
    case when min(unit) < max(unit) then 'several units' end as null_reason
from member group by run_no, profile_no, subset_no
