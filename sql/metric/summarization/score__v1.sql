/*
title:    Every number of a run: means over events
formula:  topic:     mean over the events that the run has a row for
          topic_all: mean over all events of the condition; an event the run has no row for counts 0 (eq. 13)
source:   TREC 2013 Temporal Summarization Metrics, eq. 13; the track's programs of 2013 to 2015 (topic)
inputs:   metric.summarization_event__v1, registry.run, registry.condition, registry.condition_profile
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no                     key      run
    profile_no                 key      scoring profile
    subset_no                  key      0: all
    weighting                  key      topic or topic_all
    n_update                   count    Updates of S
    n_sampled_update           count    Updates of S that are in the pool
    n_match                    count    Nuggets taken
    eg                         ratio    Expected gain over the number of updates (eq. 10)
    eg_v                       ratio    Expected gain over verbosity (eq. 12)
    neg                        ratio    eg_v over the ideal
    elg                        ratio    Expected latency-discounted gain over verbosity (eq. 12)
    nelg                       ratio    elg over the ideal
    comprehensiveness          ratio    Comprehensiveness, discount-free (eq. 15)
    latency_comprehensiveness  ratio    Comprehensiveness, latency-discounted (eq. 15)
    h                          ratio    Harmonic mean of nelg and latency_comprehensiveness
    f                          ratio    eg_v * comprehensiveness / (eg_v + comprehensiveness)
    expected_latency           ratio    Mean latency discount
    expected_verbosity         ratio    Mean verbosity of an update
    c_integral                 seconds  Integral of the latency-discounted comprehensiveness over the event (eq. 18)
    c_integral_norm            ratio    c_integral over the length of the event
    n_event                    events   that entered the means of counts
    n_event_gain               events   that entered the means of eg, eg_v, elg, expected_verbosity
    n_event_norm               events   that entered the means of neg, nelg
    n_event_comp               events   that entered the means of comprehensiveness, latency_comprehensiveness
    n_event_h                  events   that entered the mean of h
    n_event_f                  events   that entered the mean of f
    n_event_latency            events   that entered the mean of expected_latency
    n_event_integral           events   that entered the means of c_integral, c_integral_norm
metrics:
        n_update                   n=n_event           best=none     Updates of S
        n_sampled_update           n=n_event           best=none     Updates of S that are in the pool
        n_match                    n=n_event           best=highest  Nuggets taken
        eg                         n=n_event_gain      best=highest  Expected gain over the number of updates (eq. 10)
        eg_v                       n=n_event_gain      best=highest  Expected gain over verbosity (eq. 12)
        neg                        n=n_event_norm      best=highest  eg_v over the ideal
        elg                        n=n_event_gain      best=highest  Expected latency-discounted gain over verbosity (eq. 12)
        nelg                       n=n_event_norm      best=highest  elg over the ideal
        comprehensiveness          n=n_event_comp      best=highest  Comprehensiveness, discount-free (eq. 15)
        latency_comprehensiveness  n=n_event_comp      best=highest  Comprehensiveness, latency-discounted (eq. 15)
        h                          n=n_event_h         best=highest  Harmonic mean of nelg and latency_comprehensiveness
        f                          n=n_event_f         best=highest  eg_v * comprehensiveness / (eg_v + comprehensiveness)
        expected_latency           n=n_event_latency   best=highest  Mean latency discount
        expected_verbosity         n=n_event_gain      best=lowest   Mean verbosity of an update
        c_integral                 n=n_event_integral  best=highest  Integral of the latency-discounted comprehensiveness over the event (eq. 18)
        c_integral_norm            n=n_event_integral  best=highest  c_integral over the length of the event
edges:    Undefined numbers of an event are left out of the topic mean and count 0 in topic_all: no update, no gain.
          Latency and integral are NULL there too when no event has one. A run without any event has topic NULL, n 0.
class:    libm
see also: event__v1
*/
with

event as (
    select
        run_no, profile_no, subset_no, is_present,
        case when is_present = 1 then n_update end as n_update,
        case when is_present = 1 then n_sampled_update end as n_sampled_update,
        case when is_present = 1 then n_match end as n_match,
        case when is_present = 1 then eg end as eg,
        case when is_present = 1 then eg_v end as eg_v,
        case when is_present = 1 then neg end as neg,
        case when is_present = 1 then elg end as elg,
        case when is_present = 1 then nelg end as nelg,
        case when is_present = 1 then comprehensiveness end as comprehensiveness,
        case when is_present = 1 then latency_comprehensiveness end as latency_comprehensiveness,
        case when is_present = 1 then h end as h,
        case when is_present = 1 then f end as f,
        case when is_present = 1 then expected_latency end as expected_latency,
        case when is_present = 1 then expected_verbosity end as expected_verbosity,
        case when is_present = 1 then c_integral end as c_integral,
        case when is_present = 1 then c_integral_norm end as c_integral_norm
    from metric.summarization_event__v1
),

-- fixed point, divided once
total as (
    select
        run_no, profile_no, subset_no,
        1 as hit,
        count(*) as n_all,
        sum(is_present) as n_present,
        count(eg) as n_gain,
        count(neg) as n_norm,
        count(comprehensiveness) as n_comp,
        count(h) as n_h,
        count(f) as n_f,
        count(expected_latency) as n_latency,
        count(c_integral) as n_integral,
        sum(cast(floor(n_update * 1e12 + 5e-1) as decimal(38, 0))) as sum_n_update,
        sum(cast(floor(n_sampled_update * 1e12 + 5e-1) as decimal(38, 0))) as sum_n_sampled_update,
        sum(cast(floor(n_match * 1e12 + 5e-1) as decimal(38, 0))) as sum_n_match,
        sum(cast(floor(eg * 1e18 + 5e-1) as decimal(38, 0))) as sum_eg,
        sum(cast(floor(eg_v * 1e18 + 5e-1) as decimal(38, 0))) as sum_eg_v,
        sum(cast(floor(neg * 1e18 + 5e-1) as decimal(38, 0))) as sum_neg,
        sum(cast(floor(elg * 1e18 + 5e-1) as decimal(38, 0))) as sum_elg,
        sum(cast(floor(nelg * 1e18 + 5e-1) as decimal(38, 0))) as sum_nelg,
        sum(cast(floor(comprehensiveness * 1e18 + 5e-1) as decimal(38, 0))) as sum_comprehensiveness,
        sum(cast(floor(latency_comprehensiveness * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency_comprehensiveness,
        sum(cast(floor(h * 1e18 + 5e-1) as decimal(38, 0))) as sum_h,
        sum(cast(floor(f * 1e18 + 5e-1) as decimal(38, 0))) as sum_f,
        sum(cast(floor(expected_latency * 1e18 + 5e-1) as decimal(38, 0))) as sum_expected_latency,
        sum(cast(floor(expected_verbosity * 1e12 + 5e-1) as decimal(38, 0))) as sum_expected_verbosity,
        sum(cast(floor(c_integral * 1e6 + 5e-1) as decimal(38, 0))) as sum_c_integral,
        sum(cast(floor(c_integral_norm * 1e18 + 5e-1) as decimal(38, 0))) as sum_c_integral_norm
    from event
    group by run_no, profile_no, subset_no
),

scored_run as (
    select
        run_no, profile_no,
        0 as subset_no
    from registry.run
    join registry.condition using (condition_no)
    join registry.condition_profile using (condition_no)
    where task = 'summarization'
),

weighted as (
    select
        run_no, profile_no, subset_no,
        'topic' as weighting,
        case when coalesce(hit, 0) = 1 then n_present else 0 end as n_event,
        case when coalesce(hit, 0) = 1 then n_gain else 0 end as n_event_gain,
        case when coalesce(hit, 0) = 1 then n_norm else 0 end as n_event_norm,
        case when coalesce(hit, 0) = 1 then n_comp else 0 end as n_event_comp,
        case when coalesce(hit, 0) = 1 then n_h else 0 end as n_event_h,
        case when coalesce(hit, 0) = 1 then n_f else 0 end as n_event_f,
        case when coalesce(hit, 0) = 1 then n_latency else 0 end as n_event_latency,
        case when coalesce(hit, 0) = 1 then n_integral else 0 end as n_event_integral,
        case when coalesce(hit, 0) = 1 then coalesce(sum_n_update, 0) else 0 end as sum_n_update,
        case when coalesce(hit, 0) = 1 then coalesce(sum_n_sampled_update, 0) else 0 end as sum_n_sampled_update,
        case when coalesce(hit, 0) = 1 then coalesce(sum_n_match, 0) else 0 end as sum_n_match,
        case when coalesce(hit, 0) = 1 then coalesce(sum_eg, 0) else 0 end as sum_eg,
        case when coalesce(hit, 0) = 1 then coalesce(sum_eg_v, 0) else 0 end as sum_eg_v,
        case when coalesce(hit, 0) = 1 then coalesce(sum_neg, 0) else 0 end as sum_neg,
        case when coalesce(hit, 0) = 1 then coalesce(sum_elg, 0) else 0 end as sum_elg,
        case when coalesce(hit, 0) = 1 then coalesce(sum_nelg, 0) else 0 end as sum_nelg,
        case when coalesce(hit, 0) = 1 then coalesce(sum_comprehensiveness, 0) else 0 end as sum_comprehensiveness,
        case when coalesce(hit, 0) = 1 then coalesce(sum_latency_comprehensiveness, 0) else 0 end as sum_latency_comprehensiveness,
        case when coalesce(hit, 0) = 1 then coalesce(sum_h, 0) else 0 end as sum_h,
        case when coalesce(hit, 0) = 1 then coalesce(sum_f, 0) else 0 end as sum_f,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_latency, 0) else 0 end as sum_expected_latency,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_verbosity, 0) else 0 end as sum_expected_verbosity,
        case when coalesce(hit, 0) = 1 then coalesce(sum_c_integral, 0) else 0 end as sum_c_integral,
        case when coalesce(hit, 0) = 1 then coalesce(sum_c_integral_norm, 0) else 0 end as sum_c_integral_norm
    from scored_run
    left join total using (run_no, profile_no, subset_no)

    union all

    select
        run_no, profile_no, subset_no,
        'topic_all' as weighting,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event_gain,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event_norm,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event_comp,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event_h,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event_f,
        case when coalesce(hit, 0) = 1 and (n_latency > 0 or n_present = 0) then n_all else 0 end as n_event_latency,
        case when coalesce(hit, 0) = 1 and (n_integral > 0 or n_present = 0) then n_all else 0 end as n_event_integral,
        case when coalesce(hit, 0) = 1 then coalesce(sum_n_update, 0) else 0 end as sum_n_update,
        case when coalesce(hit, 0) = 1 then coalesce(sum_n_sampled_update, 0) else 0 end as sum_n_sampled_update,
        case when coalesce(hit, 0) = 1 then coalesce(sum_n_match, 0) else 0 end as sum_n_match,
        case when coalesce(hit, 0) = 1 then coalesce(sum_eg, 0) else 0 end as sum_eg,
        case when coalesce(hit, 0) = 1 then coalesce(sum_eg_v, 0) else 0 end as sum_eg_v,
        case when coalesce(hit, 0) = 1 then coalesce(sum_neg, 0) else 0 end as sum_neg,
        case when coalesce(hit, 0) = 1 then coalesce(sum_elg, 0) else 0 end as sum_elg,
        case when coalesce(hit, 0) = 1 then coalesce(sum_nelg, 0) else 0 end as sum_nelg,
        case when coalesce(hit, 0) = 1 then coalesce(sum_comprehensiveness, 0) else 0 end as sum_comprehensiveness,
        case when coalesce(hit, 0) = 1 then coalesce(sum_latency_comprehensiveness, 0) else 0 end as sum_latency_comprehensiveness,
        case when coalesce(hit, 0) = 1 then coalesce(sum_h, 0) else 0 end as sum_h,
        case when coalesce(hit, 0) = 1 then coalesce(sum_f, 0) else 0 end as sum_f,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_latency, 0) else 0 end as sum_expected_latency,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_verbosity, 0) else 0 end as sum_expected_verbosity,
        case when coalesce(hit, 0) = 1 then coalesce(sum_c_integral, 0) else 0 end as sum_c_integral,
        case when coalesce(hit, 0) = 1 then coalesce(sum_c_integral_norm, 0) else 0 end as sum_c_integral_norm
    from scored_run
    left join total using (run_no, profile_no, subset_no)
)

select
    run_no, profile_no, subset_no, weighting,
    case when n_event > 0 then cast(sum_n_update as double) / 1e12 / n_event end as n_update,
    case when n_event > 0 then cast(sum_n_sampled_update as double) / 1e12 / n_event end as n_sampled_update,
    case when n_event > 0 then cast(sum_n_match as double) / 1e12 / n_event end as n_match,
    case when n_event_gain > 0 then cast(sum_eg as double) / 1e18 / n_event_gain end as eg,
    case when n_event_gain > 0 then cast(sum_eg_v as double) / 1e18 / n_event_gain end as eg_v,
    case when n_event_norm > 0 then cast(sum_neg as double) / 1e18 / n_event_norm end as neg,
    case when n_event_gain > 0 then cast(sum_elg as double) / 1e18 / n_event_gain end as elg,
    case when n_event_norm > 0 then cast(sum_nelg as double) / 1e18 / n_event_norm end as nelg,
    case when n_event_comp > 0 then cast(sum_comprehensiveness as double) / 1e18 / n_event_comp end as comprehensiveness,
    case when n_event_comp > 0 then cast(sum_latency_comprehensiveness as double) / 1e18 / n_event_comp end as latency_comprehensiveness,
    case when n_event_h > 0 then cast(sum_h as double) / 1e18 / n_event_h end as h,
    case when n_event_f > 0 then cast(sum_f as double) / 1e18 / n_event_f end as f,
    case when n_event_latency > 0 then cast(sum_expected_latency as double) / 1e18 / n_event_latency end as expected_latency,
    case when n_event_gain > 0 then cast(sum_expected_verbosity as double) / 1e12 / n_event_gain end as expected_verbosity,
    case when n_event_integral > 0 then cast(sum_c_integral as double) / 1e6 / n_event_integral end as c_integral,
    case when n_event_integral > 0 then cast(sum_c_integral_norm as double) / 1e18 / n_event_integral end as c_integral_norm,
    cast(n_event as bigint) as n_event,
    cast(n_event_gain as bigint) as n_event_gain,
    cast(n_event_norm as bigint) as n_event_norm,
    cast(n_event_comp as bigint) as n_event_comp,
    cast(n_event_h as bigint) as n_event_h,
    cast(n_event_f as bigint) as n_event_f,
    cast(n_event_latency as bigint) as n_event_latency,
    cast(n_event_integral as bigint) as n_event_integral
from weighted
