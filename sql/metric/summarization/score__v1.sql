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
with

-- what is undefined counts 0 in a sum
total as (
    select
        run_no, profile_no, subset_no, count(*) as n_all, whole_sum(is_present) as n_present, count(eg) as n_gain,
        count_where(n_update > 0) as n_verbosity, count(neg) as n_norm, count(comprehensiveness) as n_comp,
        count(h) as n_h, count(f) as n_f, count(expected_latency) as n_latency, count(c_integral) as n_integral,
        exact_sum(coalesce(n_update, 0e0), 1e12) as sum_n_update,
        exact_sum(coalesce(n_sampled_update, 0e0), 1e12) as sum_n_sampled_update,
        exact_sum(coalesce(n_match, 0e0), 1e12) as sum_n_match, exact_sum(coalesce(eg, 0e0), 1e18) as sum_eg,
        exact_sum(coalesce(eg_v, 0e0), 1e18) as sum_eg_v, exact_sum(coalesce(neg, 0e0), 1e18) as sum_neg,
        exact_sum(coalesce(elg, 0e0), 1e18) as sum_elg, exact_sum(coalesce(nelg, 0e0), 1e18) as sum_nelg,
        exact_sum(coalesce(comprehensiveness, 0e0), 1e18) as sum_comprehensiveness,
        exact_sum(coalesce(latency_comprehensiveness, 0e0), 1e18) as sum_latency_comprehensiveness,
        exact_sum(coalesce(h, 0e0), 1e18) as sum_h, exact_sum(coalesce(f, 0e0), 1e18) as sum_f,
        exact_sum(coalesce(expected_latency, 0e0), 1e18) as sum_expected_latency,
        exact_sum(coalesce(expected_verbosity, 0e0), 1e12) as sum_expected_verbosity,
        exact_sum(coalesce(c_integral, 0e0), 1e6) as sum_c_integral,
        exact_sum(coalesce(c_integral_norm, 0e0), 1e18) as sum_c_integral_norm,
        exact_sum(coalesce(comprehensiveness_integral, 0e0), 1e6) as sum_comprehensiveness_integral
    from metric.summarization_event__v1
    group by run_no, profile_no, subset_no
),

-- topic_all counts every event, but where the run has events and none has the number, it is undefined there too
weighted as (
    select
        run_no, profile_no, subset_no, weighting, sum_n_update, sum_n_sampled_update, sum_n_match, sum_eg, sum_eg_v,
        sum_neg, sum_elg, sum_nelg, sum_comprehensiveness, sum_latency_comprehensiveness, sum_h, sum_f,
        sum_expected_latency, sum_expected_verbosity, sum_c_integral, sum_c_integral_norm,
        sum_comprehensiveness_integral,
        coalesce(case when weighting = 'topic' then n_present else n_all end, 0) as n_event,
        coalesce(case when weighting = 'topic' then n_gain else n_all end, 0) as n_event_gain,
        coalesce(case when weighting = 'topic' then n_gain else n_verbosity end, 0) as n_event_verbosity,
        coalesce(case when weighting = 'topic' then n_norm else n_all end, 0) as n_event_norm,
        coalesce(case when weighting = 'topic' then n_comp else n_all end, 0) as n_event_comp,
        coalesce(case when weighting = 'topic' then n_h else n_all end, 0) as n_event_h,
        coalesce(case when weighting = 'topic' then n_f else n_all end, 0) as n_event_f,
        coalesce(case when weighting = 'topic' or (n_latency = 0 and n_present > 0) then n_latency else n_all end, 0)
            as n_event_latency,
        coalesce(case when weighting = 'topic' or (n_integral = 0 and n_present > 0) then n_integral else n_all end, 0)
            as n_event_integral
    from base.summarization_weighting__v1
    left join total using (run_no, profile_no, subset_no)
    where subset_no = 0
)

select
    run_no, profile_no, subset_no, weighting, ratio(sum_n_update, n_event) as n_update,
    ratio(sum_n_sampled_update, n_event) as n_sampled_update, ratio(sum_n_match, n_event) as n_match,
    ratio(sum_eg, n_event_gain) as eg, ratio(sum_eg_v, n_event_gain) as eg_v, ratio(sum_neg, n_event_norm) as neg,
    ratio(sum_elg, n_event_gain) as elg, ratio(sum_nelg, n_event_norm) as nelg,
    ratio(sum_comprehensiveness, n_event_comp) as comprehensiveness,
    ratio(sum_latency_comprehensiveness, n_event_comp) as latency_comprehensiveness,
    ratio(sum_h, n_event_h) as h, ratio(sum_f, n_event_f) as f,
    ratio(sum_expected_latency, n_event_latency) as expected_latency,
    ratio(sum_expected_verbosity, n_event_verbosity) as expected_verbosity,
    ratio(sum_c_integral, n_event_integral) as c_integral,
    ratio(sum_c_integral_norm, n_event_integral) as c_integral_norm,
    ratio(sum_comprehensiveness_integral, n_event_integral) as comprehensiveness_integral,
    n_event, n_event_gain, n_event_verbosity, n_event_norm, n_event_comp, n_event_h, n_event_f, n_event_latency,
    n_event_integral
from weighted
