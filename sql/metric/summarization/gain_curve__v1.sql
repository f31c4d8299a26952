/*
title:    Expected gain over time, as steps
formula:  EG_tau(S) = EG(S_tau) changes only where an update is sent; between two times of updates it is constant
source:   TREC 2013 Temporal Summarization Metrics, eq. 1, 14, 17
inputs:   base.summarization_run_event__v1, metric.summarization_update_gain__v1
grain:    run_no, profile_no, block_no, step_time
columns:
    run_no                     key      run
    profile_no                 key      scoring profile
    block_no                   key      event
    step_time                  key      time of one or more updates; the values hold for tau behind it
    next_time                  seconds  time of the next update; NULL for the last
    n_update                   count    updates of S up to this time
    eg                         ratio    eq. 10
    eg_v                       ratio    eq. 12, discount-free
    elg                        ratio    eq. 12, latency-discounted
    comprehensiveness          ratio    eq. 17, discount-free; NULL without relevant nuggets
    latency_comprehensiveness  ratio    eq. 17, latency-discounted; NULL without relevant nuggets
edges:    Nothing holds before the first update. An integral over time is the sum of value * (overlap of the step
          with the event); only that of C has a closed form (c_integral in event__v1). Not stored:
          computed on request.
class:    libm
see also: curve__v1, event_tau__v1
*/
-- gains as whole units of 1e-18, so that running sums are exact
with moment as (
    select
        run_no, profile_no, block_no, decision_time, count(*) as n_sent, sum(n_excess) as n_beyond,
        sum(whole_units(gain, 1e18)) as gain_units, sum(whole_units(latency_gain, 1e18)) as latency_gain_units
    from metric.summarization_update_gain__v1 group by all
),

summed as (
    select
        *, cast(sum(n_sent) over so_far as bigint) as n_update,
        lead(cast(decision_time as bigint)) over (
            partition by run_no, profile_no, block_no order by decision_time
        ) as next_time,
        verbosity(sum(n_sent) over so_far, sum(n_beyond) over so_far, mean_word) as sum_verbosity,
        cast(sum(gain_units) over so_far as double) / 1e18 as gain,
        cast(sum(latency_gain_units) over so_far as double) / 1e18 as latency_gain
    from moment join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
    window so_far as (
        partition by run_no, profile_no, block_no order by decision_time
        rows between unbounded preceding and current row
    )
)

select
    run_no, profile_no, block_no, decision_time as step_time, next_time, n_update, ratio(gain, n_update) as eg,
    ratio(gain, sum_verbosity) as eg_v, ratio(latency_gain, sum_verbosity) as elg,
    ratio(gain, sum_relevance) as comprehensiveness, ratio(latency_gain, sum_relevance) as latency_comprehensiveness
from summed
