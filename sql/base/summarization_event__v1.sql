/*
title:    Events under a scoring profile: what could be found, and how long a nugget is
formula:  sum_relevance = sum of R(n) over the event's nuggets;  mean_word = sum of |n| / number of nuggets
source:   TREC 2013 Temporal Summarization Metrics, eq. 13, 15, 25
inputs:   base.event, base.summarization_nugget__v1, registry.condition_profile, registry.profile
grain:    condition_no, profile_no, block_no
columns:
    condition_no      key       condition
    profile_no        key       scoring profile
    block_no          key       event
    is_scored         flag      1: the profile scores the event
    exclusion_reason  text      why not: no pool, no matches, no nuggets
    n_nugget          count     nuggets that count
    sum_relevance     ratio     sum of their relevance
    sum_word          words     sum of their lengths
    mean_word         words     mean length; NULL without nuggets
    start_time        seconds   first second of the event; NULL when unknown
    end_time          seconds   last second of the event; NULL when unknown
edges:    The 2013 and 2014 programs score an event that is in the pool (scored_events pool); that of 2015
          also wants matches and nuggets (pool_and_matches); the metrics document scores all. An event
          for which those programs stop with an error is scored unchanged.
class:    libm
see also: summarization_nugget__v1
*/
with nugget_sum as (
    select
        condition_no, profile_no, block_no, count(*) as n_kept, exact_sum(sum_relevance, 1e18) as relevance_kept,
        sum(sum_word) as word_kept
    from base.summarization_nugget__v1 where is_scored = 1 group by condition_no, profile_no, block_no
),

labelled as (
    select
        condition_no, profile_no, block_no, start_time, end_time, coalesce(n_kept, 0) as n_nugget,
        case when n_kept > 0 then relevance_kept else 0e0 end as sum_relevance,
        cast(coalesce(word_kept, 0) as bigint) as sum_word,
        case
            when scored_events <> 'all' and n_pool_row = 0 then 'no pool'
            when scored_events = 'pool_and_matches' and n_match_row = 0 then 'no matches'
            when nuggets = 'matched' and coalesce(n_kept, 0) = 0 then 'no nuggets'
        end as exclusion_reason
    from base.event join registry.condition_profile using (condition_no) join registry.profile using (profile_no)
    left join nugget_sum using (condition_no, profile_no, block_no)
)

select
    condition_no, profile_no, block_no, case when exclusion_reason is null then 1 else 0 end as is_scored,
    exclusion_reason, n_nugget, sum_relevance, sum_word, ratio(sum_word, n_nugget) as mean_word, start_time, end_time
from labelled
