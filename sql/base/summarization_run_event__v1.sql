/*
title:    The events a run is scored on, with those it has no update for
source:   TREC 2013 Temporal Summarization Metrics, eq. 13 (the mean over the set of evaluation events)
inputs:   base.run_event, base.summarization_event__v1, registry.run
grain:    run_no, profile_no, block_no
columns:
    run_no          key      run
    profile_no      key      scoring profile
    block_no        key      event
    is_present      flag     1: the run has a row for the event (in S or not)
    n_nugget        count    nuggets of the event
    sum_relevance   ratio    sum of their relevance
    mean_word       words    their mean length; NULL without nuggets
    start_time      seconds  first second of the event; NULL when unknown
    end_time        seconds  last second of the event; NULL when unknown
    weight_scale    double   greatest absolute confidence of the run on the event, 1 when that is 0
edges:    Events that the profile does not score are not here; summarization_event__v1 says why.
class:    libm
see also: summarization_event__v1
*/
with

present as (

    select
        had.run_no as run_no,
        had.block_no as block_no,
        1 as is_present,
        case
            when abs(had.min_confidence) > abs(had.max_confidence) then abs(had.min_confidence)
            when had.max_confidence <> 0 then abs(had.max_confidence)
            else 1e0
        end as weight_scale
    from base.run_event as had

)

select
    run.run_no as run_no,
    event.profile_no as profile_no,
    event.block_no as block_no,
    coalesce(had.is_present, 0) as is_present,
    event.n_nugget as n_nugget,
    event.sum_relevance as sum_relevance,
    event.mean_word as mean_word,
    event.start_time as start_time,
    event.end_time as end_time,
    case when coalesce(had.is_present, 0) = 1 then had.weight_scale else 1e0 end as weight_scale
from registry.run as run
inner join base.summarization_event__v1 as event on event.condition_no = run.condition_no
left join present as had
    on had.run_no = run.run_no
    and had.block_no = event.block_no
where event.is_scored = 1
