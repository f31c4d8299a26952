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
        gained.run_no as run_no,
        gained.profile_no as profile_no,
        gained.block_no as block_no,
        gained.decision_time as step_time,
        count(*) as n_update,
        sum(gained.n_excess) as sum_excess,
        sum(cast(floor(gained.gain * 1e18 + 5e-1) as decimal(38, 0))) as sum_gain,
        sum(cast(floor(gained.latency_gain * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency_gain
    from metric.summarization_update_gain__v1 as gained
    group by gained.run_no, gained.profile_no, gained.block_no, gained.decision_time

),

running as (

    select
        moment.run_no as run_no,
        moment.profile_no as profile_no,
        moment.block_no as block_no,
        moment.step_time as step_time,
        lead(cast(moment.step_time as bigint)) over (
            partition by moment.run_no, moment.profile_no, moment.block_no
            order by moment.step_time
        ) as next_time,
        sum(moment.n_update) over (
            partition by moment.run_no, moment.profile_no, moment.block_no
            order by moment.step_time
            rows between unbounded preceding and current row
        ) as n_update,
        sum(moment.sum_excess) over (
            partition by moment.run_no, moment.profile_no, moment.block_no
            order by moment.step_time
            rows between unbounded preceding and current row
        ) as sum_excess,
        sum(moment.sum_gain) over (
            partition by moment.run_no, moment.profile_no, moment.block_no
            order by moment.step_time
            rows between unbounded preceding and current row
        ) as sum_gain,
        sum(moment.sum_latency_gain) over (
            partition by moment.run_no, moment.profile_no, moment.block_no
            order by moment.step_time
            rows between unbounded preceding and current row
        ) as sum_latency_gain
    from moment as moment

),

summed as (

    select
        running.run_no as run_no,
        running.profile_no as profile_no,
        running.block_no as block_no,
        running.step_time as step_time,
        running.next_time as next_time,
        cast(running.n_update as bigint) as n_update,
        cast(running.sum_gain as double) / 1e18 as sum_gain,
        cast(running.sum_latency_gain as double) / 1e18 as sum_latency_gain,
        event.sum_relevance as sum_relevance,
        case
            when event.mean_word > 0 then running.n_update + cast(running.sum_excess as double) / event.mean_word
            else cast(running.n_update as double)
        end as sum_verbosity
    from running as running
    inner join base.summarization_run_event__v1 as event
        on event.run_no = running.run_no
        and event.profile_no = running.profile_no
        and event.block_no = running.block_no

)

select
    summed.run_no as run_no,
    summed.profile_no as profile_no,
    summed.block_no as block_no,
    summed.step_time as step_time,
    summed.next_time as next_time,
    summed.n_update as n_update,
    summed.sum_gain / nullif(summed.n_update, 0) as eg,
    summed.sum_gain / nullif(summed.sum_verbosity, 0e0) as eg_v,
    summed.sum_latency_gain / nullif(summed.sum_verbosity, 0e0) as elg,
    summed.sum_gain / nullif(summed.sum_relevance, 0e0) as comprehensiveness,
    summed.sum_latency_gain / nullif(summed.sum_relevance, 0e0) as latency_comprehensiveness
from summed as summed
