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
          with the event); only that of C has a closed form (c_integral in event__v1). Not among the kept numbers:
          computed when asked for.
class:    libm
see also: curve__v1, event_tau__v1
*/
with

moment as (
    select
        run_no, profile_no, block_no,
        decision_time as step_time,
        count(*) as n_update,
        sum(n_excess) as sum_excess,
        sum(cast(floor(gain * 1e18 + 5e-1) as decimal(38, 0))) as sum_gain,
        sum(cast(floor(latency_gain * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency_gain
    from metric.summarization_update_gain__v1
    group by run_no, profile_no, block_no, decision_time
),

running as (
    select
        run_no, profile_no, block_no, step_time,
        lead(cast(step_time as bigint)) over (
            partition by run_no, profile_no, block_no
            order by step_time
        ) as next_time,
        sum(n_update) over (
            partition by run_no, profile_no, block_no
            order by step_time
            rows between unbounded preceding and current row
        ) as n_update,
        sum(sum_excess) over (
            partition by run_no, profile_no, block_no
            order by step_time
            rows between unbounded preceding and current row
        ) as sum_excess,
        sum(sum_gain) over (
            partition by run_no, profile_no, block_no
            order by step_time
            rows between unbounded preceding and current row
        ) as sum_gain,
        sum(sum_latency_gain) over (
            partition by run_no, profile_no, block_no
            order by step_time
            rows between unbounded preceding and current row
        ) as sum_latency_gain
    from moment
),

summed as (
    select
        run_no, profile_no, block_no, step_time, next_time,
        cast(n_update as bigint) as n_update,
        cast(sum_gain as double) / 1e18 as sum_gain,
        cast(sum_latency_gain as double) / 1e18 as sum_latency_gain,
        sum_relevance,
        case
            when mean_word > 0 then n_update + cast(sum_excess as double) / mean_word
            else cast(n_update as double)
        end as sum_verbosity
    from running
    join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
)

select
    run_no, profile_no, block_no, step_time, next_time, n_update,
    sum_gain / nullif(n_update, 0) as eg,
    sum_gain / nullif(sum_verbosity, 0e0) as eg_v,
    sum_latency_gain / nullif(sum_verbosity, 0e0) as elg,
    sum_gain / nullif(sum_relevance, 0e0) as comprehensiveness,
    sum_latency_gain / nullif(sum_relevance, 0e0) as latency_comprehensiveness
from summed
