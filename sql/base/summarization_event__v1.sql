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
          for which those programs stop with an error is scored as it stands.
class:    libm
see also: summarization_nugget__v1
*/
with

nugget_total as (

    select
        nugget.condition_no as condition_no,
        nugget.profile_no as profile_no,
        nugget.block_no as block_no,
        count(*) as n_nugget,
        sum(cast(floor(nugget.sum_relevance * 1e18 + 5e-1) as decimal(38, 0))) as sum_relevance,
        sum(nugget.sum_word) as sum_word
    from base.summarization_nugget__v1 as nugget
    where nugget.is_scored = 1
    group by nugget.condition_no, nugget.profile_no, nugget.block_no

),

labelled_event as (

    select
        event.condition_no as condition_no,
        used.profile_no as profile_no,
        event.block_no as block_no,
        event.start_time as start_time,
        event.end_time as end_time,
        coalesce(total.n_nugget, 0) as n_nugget,
        case when coalesce(total.n_nugget, 0) > 0 then cast(total.sum_relevance as double) / 1e18 else 0e0 end as sum_relevance,
        coalesce(total.sum_word, 0) as sum_word,
        case
            when profile.scored_events <> 'all' and event.n_pool_row = 0 then 'no pool'
            when profile.scored_events = 'pool_and_matches' and event.n_match_row = 0 then 'no matches'
            when profile.nuggets = 'matched' and coalesce(total.n_nugget, 0) = 0 then 'no nuggets'
        end as exclusion_reason
    from base.event as event
    inner join registry.condition_profile as used on used.condition_no = event.condition_no
    inner join registry.profile as profile on profile.profile_no = used.profile_no
    left join nugget_total as total
        on total.condition_no = event.condition_no
        and total.profile_no = used.profile_no
        and total.block_no = event.block_no

)

select
    labelled.condition_no as condition_no,
    labelled.profile_no as profile_no,
    labelled.block_no as block_no,
    case when labelled.exclusion_reason is null then 1 else 0 end as is_scored,
    labelled.exclusion_reason as exclusion_reason,
    cast(labelled.n_nugget as bigint) as n_nugget,
    labelled.sum_relevance as sum_relevance,
    cast(labelled.sum_word as bigint) as sum_word,
    case when labelled.n_nugget > 0 then cast(labelled.sum_word as double) / labelled.n_nugget end as mean_word,
    labelled.start_time as start_time,
    labelled.end_time as end_time
from labelled_event as labelled
