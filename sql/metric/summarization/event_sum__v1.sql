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
        run_no, profile_no, block_no,
        1 as hit,
        count(*) as n_update,
        sum(is_sampled) as n_sampled,
        sum(n_excess) as sum_excess
    from metric.summarization_update_gain__v1
    group by run_no, profile_no, block_no
),

timed as (
    select
        run_no, profile_no, block_no, relevance, latency_gain, latency_discount,
        case
            when decision_time >= end_time then 0
            when decision_time <= start_time then end_time - start_time
            else end_time - decision_time
        end as n_second
    from metric.summarization_taken_nugget__v1
    join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
),

taken_sum as (
    select
        run_no, profile_no, block_no,
        1 as hit,
        count(*) as n_match,
        sum(cast(floor(relevance * 1e18 + 5e-1) as decimal(38, 0))) as sum_gain,
        sum(cast(floor(latency_gain * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency_gain,
        sum(cast(floor(latency_discount * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency,
        sum(cast(floor(relevance * n_second * 1e12 + 5e-1) as decimal(38, 0))) as gain_seconds,
        sum(cast(floor(latency_gain * n_second * 1e12 + 5e-1) as decimal(38, 0))) as latency_gain_seconds
    from timed
    group by run_no, profile_no, block_no
),

summed as (
    select
        run_no, profile_no, block_no, is_present, mean_word, start_time, end_time,
        case when coalesce(sent.hit, 0) = 1 then n_update else 0 end as n_update,
        case when coalesce(sent.hit, 0) = 1 then n_sampled else 0 end as n_sampled,
        case when coalesce(sent.hit, 0) = 1 then sum_excess else 0 end as sum_excess,
        case when coalesce(got.hit, 0) = 1 then n_match else 0 end as n_match,
        case when coalesce(got.hit, 0) = 1 then cast(sum_gain as double) / 1e18 else 0e0 end as sum_gain,
        case when coalesce(got.hit, 0) = 1 then cast(sum_latency_gain as double) / 1e18 else 0e0 end as sum_latency_gain,
        case when coalesce(got.hit, 0) = 1 then cast(sum_latency as double) / 1e18 else 0e0 end as sum_latency,
        case when coalesce(got.hit, 0) = 1 then cast(gain_seconds as double) / 1e12 else 0e0 end as gain_seconds,
        case when coalesce(got.hit, 0) = 1 then cast(latency_gain_seconds as double) / 1e12 else 0e0 end as latency_gain_seconds
    from base.summarization_run_event__v1
    left join update_sum as sent using (run_no, profile_no, block_no)
    left join taken_sum as got using (run_no, profile_no, block_no)
)

select
    run_no, profile_no, block_no, is_present,
    cast(n_update as bigint) as n_update,
    cast(n_sampled as bigint) as n_sampled,
    cast(n_match as bigint) as n_match,
    cast(sum_excess as bigint) as sum_excess,
    case
        when mean_word > 0 then n_update + cast(sum_excess as double) / mean_word
        else cast(n_update as double)
    end as sum_verbosity,
    sum_gain, sum_latency_gain, sum_latency,
    case when end_time > start_time then gain_seconds end as gain_seconds,
    case when end_time > start_time then latency_gain_seconds end as latency_gain_seconds
from summed
