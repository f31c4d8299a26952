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
        scored.run_no as run_no,
        scored.profile_no as profile_no,
        scored.subset_no as subset_no,
        scored.is_present as is_present,
        case when scored.is_present = 1 then scored.n_update end as n_update,
        case when scored.is_present = 1 then scored.n_sampled_update end as n_sampled_update,
        case when scored.is_present = 1 then scored.n_match end as n_match,
        case when scored.is_present = 1 then scored.eg end as eg,
        case when scored.is_present = 1 then scored.eg_v end as eg_v,
        case when scored.is_present = 1 then scored.neg end as neg,
        case when scored.is_present = 1 then scored.elg end as elg,
        case when scored.is_present = 1 then scored.nelg end as nelg,
        case when scored.is_present = 1 then scored.comprehensiveness end as comprehensiveness,
        case when scored.is_present = 1 then scored.latency_comprehensiveness end as latency_comprehensiveness,
        case when scored.is_present = 1 then scored.h end as h,
        case when scored.is_present = 1 then scored.f end as f,
        case when scored.is_present = 1 then scored.expected_latency end as expected_latency,
        case when scored.is_present = 1 then scored.expected_verbosity end as expected_verbosity,
        case when scored.is_present = 1 then scored.c_integral end as c_integral,
        case when scored.is_present = 1 then scored.c_integral_norm end as c_integral_norm
    from metric.summarization_event__v1 as scored

),

-- fixed point, divided once
total as (

    select
        event.run_no as run_no,
        event.profile_no as profile_no,
        event.subset_no as subset_no,
        1 as hit,
        count(*) as n_all,
        sum(event.is_present) as n_present,
        count(event.eg) as n_gain,
        count(event.neg) as n_norm,
        count(event.comprehensiveness) as n_comp,
        count(event.h) as n_h,
        count(event.f) as n_f,
        count(event.expected_latency) as n_latency,
        count(event.c_integral) as n_integral,
        sum(cast(floor(event.n_update * 1e12 + 5e-1) as decimal(38, 0))) as sum_n_update,
        sum(cast(floor(event.n_sampled_update * 1e12 + 5e-1) as decimal(38, 0))) as sum_n_sampled_update,
        sum(cast(floor(event.n_match * 1e12 + 5e-1) as decimal(38, 0))) as sum_n_match,
        sum(cast(floor(event.eg * 1e18 + 5e-1) as decimal(38, 0))) as sum_eg,
        sum(cast(floor(event.eg_v * 1e18 + 5e-1) as decimal(38, 0))) as sum_eg_v,
        sum(cast(floor(event.neg * 1e18 + 5e-1) as decimal(38, 0))) as sum_neg,
        sum(cast(floor(event.elg * 1e18 + 5e-1) as decimal(38, 0))) as sum_elg,
        sum(cast(floor(event.nelg * 1e18 + 5e-1) as decimal(38, 0))) as sum_nelg,
        sum(cast(floor(event.comprehensiveness * 1e18 + 5e-1) as decimal(38, 0))) as sum_comprehensiveness,
        sum(cast(floor(event.latency_comprehensiveness * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency_comprehensiveness,
        sum(cast(floor(event.h * 1e18 + 5e-1) as decimal(38, 0))) as sum_h,
        sum(cast(floor(event.f * 1e18 + 5e-1) as decimal(38, 0))) as sum_f,
        sum(cast(floor(event.expected_latency * 1e18 + 5e-1) as decimal(38, 0))) as sum_expected_latency,
        sum(cast(floor(event.expected_verbosity * 1e12 + 5e-1) as decimal(38, 0))) as sum_expected_verbosity,
        sum(cast(floor(event.c_integral * 1e6 + 5e-1) as decimal(38, 0))) as sum_c_integral,
        sum(cast(floor(event.c_integral_norm * 1e18 + 5e-1) as decimal(38, 0))) as sum_c_integral_norm
    from event as event
    group by event.run_no, event.profile_no, event.subset_no

),

scored_run as (

    select
        run.run_no as run_no,
        used.profile_no as profile_no,
        0 as subset_no
    from registry.run as run
    inner join registry.condition as condition on condition.condition_no = run.condition_no
    inner join registry.condition_profile as used on used.condition_no = run.condition_no
    where condition.task = 'summarization'

),

weighted as (

    select
        scored.run_no as run_no,
        scored.profile_no as profile_no,
        scored.subset_no as subset_no,
        'topic' as weighting,
        case when coalesce(total.hit, 0) = 1 then total.n_present else 0 end as n_event,
        case when coalesce(total.hit, 0) = 1 then total.n_gain else 0 end as n_event_gain,
        case when coalesce(total.hit, 0) = 1 then total.n_norm else 0 end as n_event_norm,
        case when coalesce(total.hit, 0) = 1 then total.n_comp else 0 end as n_event_comp,
        case when coalesce(total.hit, 0) = 1 then total.n_h else 0 end as n_event_h,
        case when coalesce(total.hit, 0) = 1 then total.n_f else 0 end as n_event_f,
        case when coalesce(total.hit, 0) = 1 then total.n_latency else 0 end as n_event_latency,
        case when coalesce(total.hit, 0) = 1 then total.n_integral else 0 end as n_event_integral,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_n_update, 0) else 0 end as sum_n_update,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_n_sampled_update, 0) else 0 end as sum_n_sampled_update,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_n_match, 0) else 0 end as sum_n_match,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_eg, 0) else 0 end as sum_eg,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_eg_v, 0) else 0 end as sum_eg_v,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_neg, 0) else 0 end as sum_neg,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_elg, 0) else 0 end as sum_elg,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_nelg, 0) else 0 end as sum_nelg,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_comprehensiveness, 0) else 0 end as sum_comprehensiveness,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_latency_comprehensiveness, 0) else 0 end as sum_latency_comprehensiveness,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_h, 0) else 0 end as sum_h,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_f, 0) else 0 end as sum_f,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_expected_latency, 0) else 0 end as sum_expected_latency,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_expected_verbosity, 0) else 0 end as sum_expected_verbosity,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_c_integral, 0) else 0 end as sum_c_integral,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_c_integral_norm, 0) else 0 end as sum_c_integral_norm
    from scored_run as scored
    left join total as total
        on total.run_no = scored.run_no
        and total.profile_no = scored.profile_no
        and total.subset_no = scored.subset_no

    union all

    select
        scored.run_no as run_no,
        scored.profile_no as profile_no,
        scored.subset_no as subset_no,
        'topic_all' as weighting,
        case when coalesce(total.hit, 0) = 1 then total.n_all else 0 end as n_event,
        case when coalesce(total.hit, 0) = 1 then total.n_all else 0 end as n_event_gain,
        case when coalesce(total.hit, 0) = 1 then total.n_all else 0 end as n_event_norm,
        case when coalesce(total.hit, 0) = 1 then total.n_all else 0 end as n_event_comp,
        case when coalesce(total.hit, 0) = 1 then total.n_all else 0 end as n_event_h,
        case when coalesce(total.hit, 0) = 1 then total.n_all else 0 end as n_event_f,
        case when coalesce(total.hit, 0) = 1 and (total.n_latency > 0 or total.n_present = 0) then total.n_all else 0 end as n_event_latency,
        case when coalesce(total.hit, 0) = 1 and (total.n_integral > 0 or total.n_present = 0) then total.n_all else 0 end as n_event_integral,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_n_update, 0) else 0 end as sum_n_update,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_n_sampled_update, 0) else 0 end as sum_n_sampled_update,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_n_match, 0) else 0 end as sum_n_match,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_eg, 0) else 0 end as sum_eg,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_eg_v, 0) else 0 end as sum_eg_v,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_neg, 0) else 0 end as sum_neg,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_elg, 0) else 0 end as sum_elg,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_nelg, 0) else 0 end as sum_nelg,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_comprehensiveness, 0) else 0 end as sum_comprehensiveness,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_latency_comprehensiveness, 0) else 0 end as sum_latency_comprehensiveness,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_h, 0) else 0 end as sum_h,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_f, 0) else 0 end as sum_f,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_expected_latency, 0) else 0 end as sum_expected_latency,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_expected_verbosity, 0) else 0 end as sum_expected_verbosity,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_c_integral, 0) else 0 end as sum_c_integral,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_c_integral_norm, 0) else 0 end as sum_c_integral_norm
    from scored_run as scored
    left join total as total
        on total.run_no = scored.run_no
        and total.profile_no = scored.profile_no
        and total.subset_no = scored.subset_no

)

select
    weighted.run_no as run_no,
    weighted.profile_no as profile_no,
    weighted.subset_no as subset_no,
    weighted.weighting as weighting,
    case when weighted.n_event > 0 then cast(weighted.sum_n_update as double) / 1e12 / weighted.n_event end as n_update,
    case when weighted.n_event > 0 then cast(weighted.sum_n_sampled_update as double) / 1e12 / weighted.n_event end as n_sampled_update,
    case when weighted.n_event > 0 then cast(weighted.sum_n_match as double) / 1e12 / weighted.n_event end as n_match,
    case when weighted.n_event_gain > 0 then cast(weighted.sum_eg as double) / 1e18 / weighted.n_event_gain end as eg,
    case when weighted.n_event_gain > 0 then cast(weighted.sum_eg_v as double) / 1e18 / weighted.n_event_gain end as eg_v,
    case when weighted.n_event_norm > 0 then cast(weighted.sum_neg as double) / 1e18 / weighted.n_event_norm end as neg,
    case when weighted.n_event_gain > 0 then cast(weighted.sum_elg as double) / 1e18 / weighted.n_event_gain end as elg,
    case when weighted.n_event_norm > 0 then cast(weighted.sum_nelg as double) / 1e18 / weighted.n_event_norm end as nelg,
    case when weighted.n_event_comp > 0 then cast(weighted.sum_comprehensiveness as double) / 1e18 / weighted.n_event_comp end as comprehensiveness,
    case when weighted.n_event_comp > 0 then cast(weighted.sum_latency_comprehensiveness as double) / 1e18 / weighted.n_event_comp end as latency_comprehensiveness,
    case when weighted.n_event_h > 0 then cast(weighted.sum_h as double) / 1e18 / weighted.n_event_h end as h,
    case when weighted.n_event_f > 0 then cast(weighted.sum_f as double) / 1e18 / weighted.n_event_f end as f,
    case when weighted.n_event_latency > 0 then cast(weighted.sum_expected_latency as double) / 1e18 / weighted.n_event_latency end as expected_latency,
    case when weighted.n_event_gain > 0 then cast(weighted.sum_expected_verbosity as double) / 1e12 / weighted.n_event_gain end as expected_verbosity,
    case when weighted.n_event_integral > 0 then cast(weighted.sum_c_integral as double) / 1e6 / weighted.n_event_integral end as c_integral,
    case when weighted.n_event_integral > 0 then cast(weighted.sum_c_integral_norm as double) / 1e18 / weighted.n_event_integral end as c_integral_norm,
    cast(weighted.n_event as bigint) as n_event,
    cast(weighted.n_event_gain as bigint) as n_event_gain,
    cast(weighted.n_event_norm as bigint) as n_event_norm,
    cast(weighted.n_event_comp as bigint) as n_event_comp,
    cast(weighted.n_event_h as bigint) as n_event_h,
    cast(weighted.n_event_f as bigint) as n_event_f,
    cast(weighted.n_event_latency as bigint) as n_event_latency,
    cast(weighted.n_event_integral as bigint) as n_event_integral
from weighted as weighted
