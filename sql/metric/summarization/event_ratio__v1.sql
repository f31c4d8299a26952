/*
title:    Every ratio of an event, over all updates and over those up to a time
formula:  of the sums over S, or S_tau (event_sum__v1), W = possible_gain, and Z = ideal_gain (event_ideal__v1):
              eg   = sum_gain / n_update          eg_v = sum_gain / sum_verbosity
              elg  = sum_latency_gain / sum_verbosity
              comprehensiveness = sum_gain / possible_gain
              latency_comprehensiveness = sum_latency_gain / possible_gain
              neg  = eg_v / ideal_gain            nelg = elg / ideal_gain
              expected_verbosity = sum_verbosity / n_update
              expected_latency = sum_latency / n_match, or / n_update (latency_over)
              h and f of these as event__v1 says; c_integral = latency_gain_seconds / possible_gain,
              comprehensiveness_integral = gain_seconds / possible_gain
source:   TREC 2013 Temporal Summarization Metrics, eq. 10, 12, 14, 15, 17, 18;
          the track's programs of 2013 to 2015 (normalised forms, H); overview of 2014 (F)
inputs:   metric.summarization_event_sum__v1, metric.summarization_event_ideal__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                     key      run
    profile_no                 key      scoring profile
    subset_no                  key      0: all; or a subset tau=SECONDS of the condition
    block_no                   key      event
    is_present                 flag     1: the run has a row for the event
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
edges:    An event the run has no row for has counts of 0 and NULL elsewhere. 0/0 is NULL, or 0 where the profile
          says so (undefined zero: the programs); the integrals stay NULL without start and end of the event.
class:    libm
see also: event__v1 (subset 0), event_tau__v1 (the others)
*/
with divided as (
    select
        run_no, profile_no, subset_no, block_no, is_present, ideal_gain, n_second, cast(n_update as double) as n_sent,
        cast(n_sampled as double) as n_sampled_update, cast(n_match as double) as n_taken,
        case when is_present = 1 and undefined = 'zero' then 0e0 end as if_undefined, ratio(sum_gain, n_update) as gain,
        ratio(sum_gain, sum_verbosity) as gain_v, ratio(sum_latency_gain, sum_verbosity) as latency_gain,
        ratio(sum_gain, possible_gain) as comprehensive,
        ratio(sum_latency_gain, possible_gain) as latency_comprehensive,
        ratio(sum_latency, case when latency_over = 'matches' then n_match else n_update end) as latency,
        ratio(sum_verbosity, n_update) as verbosity, ratio(latency_gain_seconds, possible_gain) as c_integral,
        ratio(gain_seconds, possible_gain) as comprehensiveness_integral
    from metric.summarization_event_sum__v1 join registry.profile using (profile_no)
    left join metric.summarization_event_ideal__v1 using (run_no, profile_no, subset_no, block_no)
)

select
    run_no, profile_no, subset_no, block_no, is_present, n_sent as n_update, n_sampled_update, n_taken as n_match,
    coalesce(gain, if_undefined) as eg, coalesce(gain_v, if_undefined) as eg_v,
    coalesce(ratio(gain_v, ideal_gain), if_undefined) as neg, coalesce(latency_gain, if_undefined) as elg,
    coalesce(ratio(latency_gain, ideal_gain), if_undefined) as nelg,
    coalesce(comprehensive, if_undefined) as comprehensiveness,
    coalesce(latency_comprehensive, if_undefined) as latency_comprehensiveness,
    coalesce(harmonic_mean(ratio(latency_gain, ideal_gain), latency_comprehensive), if_undefined) as h,
    coalesce(harmonic_mean(gain_v, comprehensive) / 2e0, if_undefined) as f,
    coalesce(latency, if_undefined) as expected_latency, coalesce(verbosity, if_undefined) as expected_verbosity,
    c_integral, ratio(c_integral, n_second) as c_integral_norm, comprehensiveness_integral
from divided
