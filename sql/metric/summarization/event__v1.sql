/*
title:    Every number of an event
formula:  with the sums over S and over the taken nuggets (event_sum__v1), W = sum of R(n) over the event's nuggets:
              eg   = sum G / |S|          eg_v = sum G / sum V         elg = sum LG / sum V
              comprehensiveness = sum G / W,  latency_comprehensiveness = sum LG / W
              neg  = eg_v / Z,  nelg = elg / Z,  Z the ideal (event_ideal__v1)
              h    = 2 * nelg * lc / (nelg + lc),  lc = latency_comprehensiveness;  0 when both are 0
              f    = eg_v * c / (eg_v + c),  c = comprehensiveness;  0 when both are 0
              expected_verbosity = sum V / |S|;  expected_latency = sum L / taken nuggets, or / |S| (latency_over)
              c_integral = sum over taken nuggets of R * L * (te - max(taken, ts)) / W, those taken before te;
              comprehensiveness_integral is the same without L
source:   TREC 2013 Temporal Summarization Metrics, eq. 10, 12, 15, 18;
          the track's programs of 2013 to 2015 (normalised forms, H); overview of 2014 (F)
inputs:   metric.summarization_event_ratio__v1
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                     key      run
    profile_no                 key      scoring profile
    subset_no                  key      0: all
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
metrics:
        n_update                   n=n_update  best=none     Updates of S
        n_sampled_update           n=n_update  best=none     Updates of S that are in the pool
        n_match                    n=n_update  best=highest  Nuggets taken
        eg                         n=n_update  best=highest  Expected gain over the number of updates (eq. 10)
        eg_v                       n=n_update  best=highest  Expected gain over verbosity (eq. 12)
        neg                        n=n_update  best=highest  eg_v over the ideal
        elg                        n=n_update  best=highest  Expected latency-discounted gain over verbosity (eq. 12)
        nelg                       n=n_update  best=highest  elg over the ideal
        comprehensiveness          n=n_update  best=highest  Comprehensiveness, discount-free (eq. 15)
        latency_comprehensiveness  n=n_update  best=highest  Comprehensiveness, latency-discounted (eq. 15)
        h                          n=n_update  best=highest  Harmonic mean of nelg and latency_comprehensiveness
        f                          n=n_update  best=highest  eg_v * comprehensiveness / (eg_v + comprehensiveness)
        expected_latency           n=n_update  best=highest  Mean latency discount
        expected_verbosity         n=n_update  best=lowest   Mean verbosity of an update
        c_integral                 n=n_update  best=highest  Integral of the latency-discounted comprehensiveness over the event (eq. 18)
        c_integral_norm            n=n_update  best=highest  c_integral over the length of the event
        comprehensiveness_integral  n=n_update  best=highest  Integral of the discount-free comprehensiveness over the event (eq. 18)
edges:    An event the run has no row for has counts of 0 and NULL elsewhere. 0/0 is NULL, or 0 where the profile
          says so (undefined zero: the programs). The integrals are NULL without start and end of the event.
class:    libm
see also: score__v1, event_ratio__v1, event_confidence__v1, update_gain__v1
*/
select
    run_no, profile_no, subset_no, block_no, is_present, n_update, n_sampled_update, n_match, eg, eg_v, neg, elg, nelg,
    comprehensiveness, latency_comprehensiveness, h, f, expected_latency, expected_verbosity, c_integral,
    c_integral_norm, comprehensiveness_integral
from metric.summarization_event_ratio__v1 where subset_no = 0
