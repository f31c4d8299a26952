/*
title:    Time-sensitive numbers of a run: means over events
formula:  topic:     mean over the events that the run has a row for
          topic_all: mean over all events of the condition; an event the run has no row for counts 0 (eq. 13)
source:   TREC 2013 Temporal Summarization Metrics, eq. 13, 14, 17
inputs:   metric.summarization_event_tau__v1, base.summarization_weighting__v1
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no                         key     run
    profile_no                     key     scoring profile
    subset_no                      key     the subset tau=SECONDS
    weighting                      key     topic or topic_all
    eg_tau                         ratio   EG at tau (eq. 14): eq. 12 under the programs' profiles, eq. 10 under the
                                           metrics document
    eg_v_tau                       ratio   eg_v at tau
    neg_tau                        ratio   neg at tau
    elg_tau                        ratio   elg at tau
    nelg_tau                       ratio   nelg at tau
    comprehensiveness_tau          ratio   Comprehensiveness at tau (eq. 17), discount-free
    latency_comprehensiveness_tau  ratio   Comprehensiveness at tau (eq. 17), latency-discounted
    h_tau                          ratio   h at tau
    expected_latency_tau           ratio   Mean latency discount at tau
    expected_verbosity_tau         ratio   Mean verbosity at tau
    n_update_tau                   count   Updates of S sent before tau
    n_event                        events  that entered the means of counts
    n_event_gain                   events  that entered the mean of eg_tau
    n_event_verb                   events  that entered the means of eg_v_tau, elg_tau, expected_verbosity_tau
    n_event_norm                   events  that entered the means of neg_tau, nelg_tau
    n_event_comp                   events  that entered the means of comprehensiveness_tau,
                                           latency_comprehensiveness_tau
    n_event_h                      events  that entered the mean of h_tau
    n_event_latency                events  that entered the mean of expected_latency_tau
metrics:
        eg_tau                         n=n_event_gain     best=highest  EG at tau (eq. 14): eq. 12 under the programs' profiles, eq. 10 under the metrics document
        eg_v_tau                       n=n_event_verb     best=highest  eg_v at tau
        neg_tau                        n=n_event_norm     best=highest  neg at tau
        elg_tau                        n=n_event_verb     best=highest  elg at tau
        nelg_tau                       n=n_event_norm     best=highest  nelg at tau
        comprehensiveness_tau          n=n_event_comp     best=highest  Comprehensiveness at tau (eq. 17), discount-free
        latency_comprehensiveness_tau  n=n_event_comp     best=highest  Comprehensiveness at tau (eq. 17), latency-discounted
        h_tau                          n=n_event_h        best=highest  h at tau
        expected_latency_tau           n=n_event_latency  best=highest  Mean latency discount at tau
        expected_verbosity_tau         n=n_event_verb     best=none     Mean verbosity at tau
        n_update_tau                   n=n_event          best=none     Updates of S sent before tau
edges:    topic_all of eg_tau is MEG at tau, an event without an update before tau counting 0. Events without a known
          start have no time-sensitive numbers and are in no mean.
          topic_all of expected_verbosity_tau has 0 for an event without an update before tau too, which no update's
          verbosity reaches: it has no best direction. Its topic mean leaves such events out.
class:    libm
see also: event_tau__v1
*/
with

-- what is undefined counts 0 in a sum
total as (
    select
        run_no, profile_no, subset_no, count(*) as n_all, whole_sum(is_present) as n_present, count(eg_tau) as n_gain,
        count(eg_v_tau) as n_verb, count(neg_tau) as n_norm, count(comprehensiveness_tau) as n_comp,
        count(h_tau) as n_h, count(expected_latency_tau) as n_latency,
        exact_sum(coalesce(eg_tau, 0e0), 1e18) as sum_eg_tau, exact_sum(coalesce(eg_v_tau, 0e0), 1e18) as sum_eg_v_tau,
        exact_sum(coalesce(neg_tau, 0e0), 1e18) as sum_neg_tau, exact_sum(coalesce(elg_tau, 0e0), 1e18) as sum_elg_tau,
        exact_sum(coalesce(nelg_tau, 0e0), 1e18) as sum_nelg_tau,
        exact_sum(coalesce(comprehensiveness_tau, 0e0), 1e18) as sum_comprehensiveness_tau,
        exact_sum(coalesce(latency_comprehensiveness_tau, 0e0), 1e18) as sum_latency_comprehensiveness_tau,
        exact_sum(coalesce(h_tau, 0e0), 1e18) as sum_h_tau,
        exact_sum(coalesce(expected_latency_tau, 0e0), 1e18) as sum_expected_latency_tau,
        exact_sum(coalesce(expected_verbosity_tau, 0e0), 1e12) as sum_expected_verbosity_tau,
        exact_sum(coalesce(n_update_tau, 0e0), 1e12) as sum_n_update_tau
    from metric.summarization_event_tau__v1
    group by run_no, profile_no, subset_no
),

-- topic_all counts every event, but where the run has events and none has the number, it is undefined there too
weighted as (
    select
        run_no, profile_no, subset_no, weighting, sum_eg_tau, sum_eg_v_tau, sum_neg_tau, sum_elg_tau, sum_nelg_tau,
        sum_comprehensiveness_tau, sum_latency_comprehensiveness_tau, sum_h_tau, sum_expected_latency_tau,
        sum_expected_verbosity_tau, sum_n_update_tau,
        coalesce(case when weighting = 'topic' then n_present else n_all end, 0) as n_event,
        coalesce(case when weighting = 'topic' then n_gain else n_all end, 0) as n_event_gain,
        coalesce(case when weighting = 'topic' then n_verb else n_all end, 0) as n_event_verb,
        coalesce(case when weighting = 'topic' then n_norm else n_all end, 0) as n_event_norm,
        coalesce(case when weighting = 'topic' then n_comp else n_all end, 0) as n_event_comp,
        coalesce(case when weighting = 'topic' then n_h else n_all end, 0) as n_event_h,
        coalesce(case when weighting = 'topic' or (n_latency = 0 and n_present > 0) then n_latency else n_all end, 0)
            as n_event_latency
    from base.summarization_weighting__v1
    left join total using (run_no, profile_no, subset_no)
    where subset_no > 0
)

select
    run_no, profile_no, subset_no, weighting, ratio(sum_eg_tau, n_event_gain) as eg_tau,
    ratio(sum_eg_v_tau, n_event_verb) as eg_v_tau, ratio(sum_neg_tau, n_event_norm) as neg_tau,
    ratio(sum_elg_tau, n_event_verb) as elg_tau, ratio(sum_nelg_tau, n_event_norm) as nelg_tau,
    ratio(sum_comprehensiveness_tau, n_event_comp) as comprehensiveness_tau,
    ratio(sum_latency_comprehensiveness_tau, n_event_comp) as latency_comprehensiveness_tau,
    ratio(sum_h_tau, n_event_h) as h_tau,
    ratio(sum_expected_latency_tau, n_event_latency) as expected_latency_tau,
    ratio(sum_expected_verbosity_tau, n_event_verb) as expected_verbosity_tau,
    ratio(sum_n_update_tau, n_event) as n_update_tau, n_event, n_event_gain, n_event_verb, n_event_norm, n_event_comp,
    n_event_h, n_event_latency
from weighted
