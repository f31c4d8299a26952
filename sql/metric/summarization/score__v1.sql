/*
title:    Every number of a run: means over events
formula:  topic:     mean over the events that the run has a row for
          topic_all: mean over all events of the condition; an event the run has no row for counts 0 (eq. 13),
                     but is left out of expected_verbosity
source:   TREC 2013 Temporal Summarization Metrics, eq. 13; the track's programs of 2013 to 2015 (topic)
inputs:   metric.summarization_event__v1, base.summarization_weighting__v1
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
    comprehensiveness_integral  seconds  Integral of the discount-free comprehensiveness over the event (eq. 18)
    n_event                    events   that entered the means of counts
    n_event_gain               events   that entered the means of eg, eg_v, elg
    n_event_verbosity          events   that entered the mean of expected_verbosity
    n_event_norm               events   that entered the means of neg, nelg
    n_event_comp               events   that entered the means of comprehensiveness, latency_comprehensiveness
    n_event_h                  events   that entered the mean of h
    n_event_f                  events   that entered the mean of f
    n_event_latency            events   that entered the mean of expected_latency
    n_event_integral           events   that entered the means of the three integrals
metrics:
        n_update                   n=n_event            best=none     Updates of S
        n_sampled_update           n=n_event            best=none     Updates of S that are in the pool
        n_match                    n=n_event            best=highest  Nuggets taken
        eg                         n=n_event_gain       best=highest  Expected gain over the number of updates (eq. 10)
        eg_v                       n=n_event_gain       best=highest  Expected gain over verbosity (eq. 12)
        neg                        n=n_event_norm       best=highest  eg_v over the ideal
        elg                        n=n_event_gain       best=highest  Expected latency-discounted gain over verbosity (eq. 12)
        nelg                       n=n_event_norm       best=highest  elg over the ideal
        comprehensiveness          n=n_event_comp       best=highest  Comprehensiveness, discount-free (eq. 15)
        latency_comprehensiveness  n=n_event_comp       best=highest  Comprehensiveness, latency-discounted (eq. 15)
        h                          n=n_event_h          best=highest  Harmonic mean of nelg and latency_comprehensiveness
        f                          n=n_event_f          best=highest  eg_v * comprehensiveness / (eg_v + comprehensiveness)
        expected_latency           n=n_event_latency    best=highest  Mean latency discount
        expected_verbosity         n=n_event_verbosity  best=lowest   Mean verbosity of an update
        c_integral                 n=n_event_integral   best=highest  Integral of the latency-discounted comprehensiveness over the event (eq. 18)
        c_integral_norm            n=n_event_integral   best=highest  c_integral over the length of the event
        comprehensiveness_integral  n=n_event_integral   best=highest  Integral of the discount-free comprehensiveness over the event (eq. 18)
edges:    Undefined numbers of an event are left out of the topic mean and count 0 in topic_all: no update, no gain.
          What is best low is never 0 for what is missing: expected_verbosity is the mean over events with an update in
          topic_all too, and n says how many.
          Latency and integral are NULL there too when no event has one. A run without any event has topic NULL, n 0.
class:    libm
see also: event__v1
*/
-- what is undefined counts 0 in a sum; topic_all counts every event, but where the run has events and none has the
-- number, it is undefined there too
with total as (
    select
        run_no, profile_no, subset_no, weighting,
        coalesce(case when weighting = 'topic' then whole_sum(is_present) else count(block_no) end, 0) as n_event,
        case when weighting = 'topic' then count(event.eg) else count(block_no) end as n_event_gain,
        case when weighting = 'topic' then count(event.eg) else count(*) filter (where event.n_update > 0) end
            as n_event_verbosity,
        case when weighting = 'topic' then count(event.neg) else count(block_no) end as n_event_norm,
        case when weighting = 'topic' then count(event.comprehensiveness) else count(block_no) end as n_event_comp,
        case when weighting = 'topic' then count(event.h) else count(block_no) end as n_event_h,
        case when weighting = 'topic' then count(event.f) else count(block_no) end as n_event_f,
        case
            when weighting = 'topic' or whole_sum(is_present) > 0 and count(event.expected_latency) = 0
                then count(event.expected_latency)
            else count(block_no)
        end as n_event_latency,
        case
            when weighting = 'topic' or whole_sum(is_present) > 0 and count(event.c_integral) = 0
                then count(event.c_integral)
            else count(block_no)
        end as n_event_integral,
        zero_mean(event.n_update, n_event, 1e12) as n_update,
        zero_mean(event.n_sampled_update, n_event, 1e12) as n_sampled_update,
        zero_mean(event.n_match, n_event, 1e12) as n_match, zero_mean(event.eg, n_event_gain) as eg,
        zero_mean(event.eg_v, n_event_gain) as eg_v, zero_mean(event.neg, n_event_norm) as neg,
        zero_mean(event.elg, n_event_gain) as elg, zero_mean(event.nelg, n_event_norm) as nelg,
        zero_mean(event.comprehensiveness, n_event_comp) as comprehensiveness,
        zero_mean(event.latency_comprehensiveness, n_event_comp) as latency_comprehensiveness,
        zero_mean(event.h, n_event_h) as h, zero_mean(event.f, n_event_f) as f,
        zero_mean(event.expected_latency, n_event_latency) as expected_latency,
        zero_mean(event.expected_verbosity, n_event_verbosity, 1e12) as expected_verbosity,
        zero_mean(event.c_integral, n_event_integral, 1e6) as c_integral,
        zero_mean(event.c_integral_norm, n_event_integral) as c_integral_norm,
        zero_mean(event.comprehensiveness_integral, n_event_integral, 1e6) as comprehensiveness_integral
    from base.summarization_weighting__v1
    left join metric.summarization_event__v1 as event using (run_no, profile_no, subset_no)
    where subset_no = 0
    group by run_no, profile_no, subset_no, weighting
)

select
    run_no, profile_no, subset_no, weighting, n_update, n_sampled_update, n_match, eg, eg_v, neg, elg, nelg,
    comprehensiveness, latency_comprehensiveness, h, f, expected_latency, expected_verbosity, c_integral,
    c_integral_norm, comprehensiveness_integral, n_event, n_event_gain, n_event_verbosity, n_event_norm, n_event_comp,
    n_event_h, n_event_f, n_event_latency, n_event_integral
from total
