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
-- what is undefined counts 0 in a sum; topic_all counts every event, but where the run has events and none has the
-- number, it is undefined there too
with total as (
    select
        run_no, profile_no, subset_no, weighting,
        coalesce(case when weighting = 'topic' then whole_sum(is_present) else count(block_no) end, 0) as n_event,
        case when weighting = 'topic' then count(event.eg_tau) else count(block_no) end as n_event_gain,
        case when weighting = 'topic' then count(event.eg_v_tau) else count(block_no) end as n_event_verb,
        case when weighting = 'topic' then count(event.neg_tau) else count(block_no) end as n_event_norm,
        case when weighting = 'topic' then count(event.comprehensiveness_tau) else count(block_no) end as n_event_comp,
        case when weighting = 'topic' then count(event.h_tau) else count(block_no) end as n_event_h,
        case
            when weighting = 'topic' or whole_sum(is_present) > 0 and count(event.expected_latency_tau) = 0
                then count(event.expected_latency_tau)
            else count(block_no)
        end as n_event_latency,
        zero_mean(event.eg_tau, n_event_gain) as eg_tau, zero_mean(event.eg_v_tau, n_event_verb) as eg_v_tau,
        zero_mean(event.neg_tau, n_event_norm) as neg_tau, zero_mean(event.elg_tau, n_event_verb) as elg_tau,
        zero_mean(event.nelg_tau, n_event_norm) as nelg_tau,
        zero_mean(event.comprehensiveness_tau, n_event_comp) as comprehensiveness_tau,
        zero_mean(event.latency_comprehensiveness_tau, n_event_comp) as latency_comprehensiveness_tau,
        zero_mean(event.h_tau, n_event_h) as h_tau,
        zero_mean(event.expected_latency_tau, n_event_latency) as expected_latency_tau,
        zero_mean(event.expected_verbosity_tau, n_event_verb, 1e12) as expected_verbosity_tau,
        zero_mean(event.n_update_tau, n_event, 1e12) as n_update_tau
    from base.summarization_weighting__v1
    left join metric.summarization_event_tau__v1 as event using (run_no, profile_no, subset_no)
    where subset_no > 0
    group by run_no, profile_no, subset_no, weighting
)

select
    run_no, profile_no, subset_no, weighting, eg_tau, eg_v_tau, neg_tau, elg_tau, nelg_tau, comprehensiveness_tau,
    latency_comprehensiveness_tau, h_tau, expected_latency_tau, expected_verbosity_tau, n_update_tau, n_event,
    n_event_gain, n_event_verb, n_event_norm, n_event_comp, n_event_h, n_event_latency
from total
