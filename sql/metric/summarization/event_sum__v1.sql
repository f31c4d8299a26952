/*
title:    Sums over the updates and the taken nuggets of an event, and of what was sent up to a time
formula:  S_tau = {u in S : u.t < start + tau}, S itself as subset 0;
          sum V(u) = |S| + sum of the excess words / mean nugget length
source:   TREC 2013 Temporal Summarization Metrics, eq. 1, 10 to 12, 15, 18
inputs:   base.condition_tau, base.summarization_run_event__v1, registry.run, metric.summarization_update_gain__v1,
          metric.summarization_taken_nugget__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                key      run
    profile_no            key      scoring profile
    subset_no             key      0: all; or a subset tau=SECONDS of the condition
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
    gain_seconds          seconds  sum of R(n) * seconds from its taking to the end of the event; NULL when the event
                                   has no known window
    latency_gain_seconds  seconds  the same with R(n) * L
    possible_gain         ratio    W: sum of R(n) over the event's nuggets; NULL when the run has no row for the event
    n_second              seconds  length of the event; NULL when it has no known window
edges:    Gains are summed in units of 1e-18, gain seconds in units of 1e-12: exact at any order of the rows. A nugget
          taken before the event starts counts its seconds from the start, one taken after the end counts none.
          The first match does not change when later updates are cut off, so nothing is matched again. The time is
          strict: an update sent at start + tau is not in S_tau. Events without a known start have S only.
class:    libm
see also: event_ratio__v1
*/
-- S is subset 0; S_tau exists for every tau of the condition if the start of the event is known
with moment as (
    select *, 0 as subset_no, cast(null as bigint) as end_before from base.summarization_run_event__v1
    union all
    select event.*, subset_no, start_time + tau_seconds as end_before
    from base.summarization_run_event__v1 as event join registry.run using (run_no)
    join base.condition_tau using (condition_no)
    where start_time is not null
),

sent as (
    select
        run_no, profile_no, subset_no, block_no, count(*) as n_sent, sum(is_sampled) as n_pooled,
        sum(n_excess) as n_beyond
    from moment join metric.summarization_update_gain__v1 using (run_no, profile_no, block_no)
    where end_before is null or decision_time < end_before
    group by all
),

timed as (
    select
        *,
        case
            when decision_time >= end_time then 0
            when decision_time <= start_time then end_time - start_time
            else end_time - decision_time
        end as seconds_left
    from moment join metric.summarization_taken_nugget__v1 using (run_no, profile_no, block_no)
    where end_before is null or decision_time < end_before
),

taken as (
    select
        run_no, profile_no, subset_no, block_no, 1 as has_taken, count(*) as n_taken,
        exact_sum(relevance, 1e18) as gain, exact_sum(latency_gain, 1e18) as discounted_gain,
        exact_sum(latency_discount, 1e18) as discount, exact_sum(relevance * seconds_left, 1e12) as gain_left,
        exact_sum(latency_gain * seconds_left, 1e12) as discounted_gain_left
    from timed group by all
)

-- the sums of nuggets with unknown times are NULL, those of no nuggets 0
select
    run_no, profile_no, subset_no, block_no, is_present, coalesce(n_sent, 0) as n_update,
    cast(coalesce(n_pooled, 0) as bigint) as n_sampled, coalesce(n_taken, 0) as n_match,
    cast(coalesce(n_beyond, 0) as bigint) as sum_excess,
    verbosity(coalesce(n_sent, 0), coalesce(n_beyond, 0), mean_word) as sum_verbosity,
    case when has_taken = 1 then gain else 0e0 end as sum_gain,
    case when has_taken = 1 then discounted_gain else 0e0 end as sum_latency_gain,
    case when has_taken = 1 then discount else 0e0 end as sum_latency,
    case when end_time > start_time then case when has_taken = 1 then gain_left else 0e0 end end as gain_seconds,
    case when end_time > start_time then case when has_taken = 1 then discounted_gain_left else 0e0 end end
        as latency_gain_seconds,
    case when is_present = 1 then sum_relevance end as possible_gain,
    case when end_time > start_time then end_time - start_time end as n_second
from moment
left join sent using (run_no, profile_no, subset_no, block_no)
left join taken using (run_no, profile_no, subset_no, block_no)
