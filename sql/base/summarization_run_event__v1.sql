/*
title:    The events a run is scored on, with those it has no update for
source:   TREC 2013 Temporal Summarization Metrics, eq. 13 (the mean over the set of evaluation events)
inputs:   base.run_event, base.summarization_event__v1, registry.profile, registry.run
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
    weight_scale    double   unit of the sums of weights: the greatest absolute confidence of the run and event, 1 when
                             that is 0
edges:    Events that the profile does not score are not here; summarization_event__v1 says why. Weights that are not
          the confidence itself lie in [0, 1]: their unit is 1e-3 at least and 1e3 at most.
class:    libm
see also: summarization_event__v1
*/
with scaled as (
    select
        run_no, profile_no, event.block_no, case when own.run_no is null then 0 else 1 end as is_present, n_nugget,
        sum_relevance, mean_word, start_time, end_time, confidence,
        case
            when abs(min_confidence) > abs(max_confidence) then abs(min_confidence)
            when max_confidence <> 0 then abs(max_confidence)
            else 1e0
        end as greatest_confidence
    from registry.run join base.summarization_event__v1 as event using (condition_no)
    join registry.profile using (profile_no)
    left join base.run_event as own using (run_no, block_no)
    where is_scored = 1
)

select
    run_no, profile_no, block_no, is_present, n_nugget, sum_relevance, mean_word, start_time, end_time,
    case
        when confidence = 'value' then greatest_confidence
        when greatest_confidence < 1e-3 then 1e-3
        when greatest_confidence > 1e3 then 1e3
        else greatest_confidence
    end as weight_scale
from scaled
