/*
title:    Sums over the updates and the taken nuggets of an event
formula:  sum V(u) = |S| + sum of the excess words / mean nugget length
source:   TREC 2013 Temporal Summarization Metrics, eq. 10 to 12, 15, 18
inputs:   base.summarization_run_event__v1, metric.summarization_update_gain__v1, metric.summarization_taken_nugget__v1
grain:    run_no, profile_no, block_no
columns:
    run_no                key      run
    profile_no            key      scoring profile
    block_no              key      event
    is_present            flag     1: the run has a row for the event
    n_update              count    updates of S
    n_sampled             count    of them in the pool
    n_match               count    nuggets taken
    sum_excess            words    words beyond matched ones
    sum_verbosity         ratio    sum of V(u)
    sum_gain              ratio    sum of R(n) over the taken nuggets
    sum_latency_gain      ratio    sum of R(n) * L
    sum_latency           ratio    sum of L
    gain_seconds          seconds  sum of R(n) * seconds from its taking to the end of the event; NULL when the event has no known window
    latency_gain_seconds  seconds  the same with R(n) * L
edges:    Gains are summed in units of 1e-18, gain seconds in units of 1e-12: exact at any order of the rows. A nugget
          taken before the event starts counts its seconds from the start, one taken after the end counts none.
class:    libm
see also: event__v1
*/
with

update_sum as (

    select
        gained.run_no as run_no,
        gained.profile_no as profile_no,
        gained.block_no as block_no,
        1 as hit,
        count(*) as n_update,
        sum(gained.is_sampled) as n_sampled,
        sum(gained.n_excess) as sum_excess
    from metric.summarization_update_gain__v1 as gained
    group by gained.run_no, gained.profile_no, gained.block_no

),

timed as (

    select
        taken.run_no as run_no,
        taken.profile_no as profile_no,
        taken.block_no as block_no,
        taken.relevance as relevance,
        taken.latency_gain as latency_gain,
        taken.latency_discount as latency_discount,
        case
            when taken.decision_time >= event.end_time then 0
            when taken.decision_time <= event.start_time then event.end_time - event.start_time
            else event.end_time - taken.decision_time
        end as n_second
    from metric.summarization_taken_nugget__v1 as taken
    inner join base.summarization_run_event__v1 as event
        on event.run_no = taken.run_no
        and event.profile_no = taken.profile_no
        and event.block_no = taken.block_no

),

taken_sum as (

    select
        timed.run_no as run_no,
        timed.profile_no as profile_no,
        timed.block_no as block_no,
        1 as hit,
        count(*) as n_match,
        sum(cast(floor(timed.relevance * 1e18 + 5e-1) as decimal(38, 0))) as sum_gain,
        sum(cast(floor(timed.latency_gain * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency_gain,
        sum(cast(floor(timed.latency_discount * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency,
        sum(cast(floor(timed.relevance * timed.n_second * 1e12 + 5e-1) as decimal(38, 0))) as gain_seconds,
        sum(cast(floor(timed.latency_gain * timed.n_second * 1e12 + 5e-1) as decimal(38, 0))) as latency_gain_seconds
    from timed as timed
    group by timed.run_no, timed.profile_no, timed.block_no

),

summed as (

    select
        event.run_no as run_no,
        event.profile_no as profile_no,
        event.block_no as block_no,
        event.is_present as is_present,
        event.mean_word as mean_word,
        event.start_time as start_time,
        event.end_time as end_time,
        case when coalesce(sent.hit, 0) = 1 then sent.n_update else 0 end as n_update,
        case when coalesce(sent.hit, 0) = 1 then sent.n_sampled else 0 end as n_sampled,
        case when coalesce(sent.hit, 0) = 1 then sent.sum_excess else 0 end as sum_excess,
        case when coalesce(got.hit, 0) = 1 then got.n_match else 0 end as n_match,
        case when coalesce(got.hit, 0) = 1 then cast(got.sum_gain as double) / 1e18 else 0e0 end as sum_gain,
        case when coalesce(got.hit, 0) = 1 then cast(got.sum_latency_gain as double) / 1e18 else 0e0 end as sum_latency_gain,
        case when coalesce(got.hit, 0) = 1 then cast(got.sum_latency as double) / 1e18 else 0e0 end as sum_latency,
        case when coalesce(got.hit, 0) = 1 then cast(got.gain_seconds as double) / 1e12 else 0e0 end as gain_seconds,
        case when coalesce(got.hit, 0) = 1 then cast(got.latency_gain_seconds as double) / 1e12 else 0e0 end as latency_gain_seconds
    from base.summarization_run_event__v1 as event
    left join update_sum as sent
        on sent.run_no = event.run_no
        and sent.profile_no = event.profile_no
        and sent.block_no = event.block_no
    left join taken_sum as got
        on got.run_no = event.run_no
        and got.profile_no = event.profile_no
        and got.block_no = event.block_no

)

select
    summed.run_no as run_no,
    summed.profile_no as profile_no,
    summed.block_no as block_no,
    summed.is_present as is_present,
    cast(summed.n_update as bigint) as n_update,
    cast(summed.n_sampled as bigint) as n_sampled,
    cast(summed.n_match as bigint) as n_match,
    cast(summed.sum_excess as bigint) as sum_excess,
    case
        when summed.mean_word > 0 then summed.n_update + cast(summed.sum_excess as double) / summed.mean_word
        else cast(summed.n_update as double)
    end as sum_verbosity,
    summed.sum_gain as sum_gain,
    summed.sum_latency_gain as sum_latency_gain,
    summed.sum_latency as sum_latency,
    case when summed.end_time > summed.start_time then summed.gain_seconds end as gain_seconds,
    case when summed.end_time > summed.start_time then summed.latency_gain_seconds end as latency_gain_seconds
from summed as summed
