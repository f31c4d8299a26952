/*
title:    Time-sensitive numbers of an event: what it was worth tau seconds after its start
formula:  S_tau = {u in S : u.t < start + tau};  EG_tau(S) = EG(S_tau),  C_tau(S) = C(S_tau)
source:   TREC 2013 Temporal Summarization Metrics, eq. 1, 14, 17
inputs:   metric.summarization_event_ratio__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                         key    run
    profile_no                     key    scoring profile
    subset_no                      key    the subset tau=SECONDS
    block_no                       key    event
    is_present                     flag   1: the run has a row for the event
    eg_tau                         ratio  EG at tau (eq. 14): eq. 12 under the programs' profiles, eq. 10 under the
                                          metrics document
    eg_v_tau                       ratio  eg_v at tau
    neg_tau                        ratio  neg at tau
    elg_tau                        ratio  elg at tau
    nelg_tau                       ratio  nelg at tau
    comprehensiveness_tau          ratio  Comprehensiveness at tau (eq. 17), discount-free
    latency_comprehensiveness_tau  ratio  Comprehensiveness at tau (eq. 17), latency-discounted
    h_tau                          ratio  h at tau
    expected_latency_tau           ratio  Mean latency discount at tau
    expected_verbosity_tau         ratio  Mean verbosity at tau
    n_update_tau                   count  Updates of S sent before tau
metrics:
        eg_tau                         n=n_update_tau  best=highest  EG at tau (eq. 14): eq. 12 under the programs' profiles, eq. 10 under the metrics document
        eg_v_tau                       n=n_update_tau  best=highest  eg_v at tau
        neg_tau                        n=n_update_tau  best=highest  neg at tau
        elg_tau                        n=n_update_tau  best=highest  elg at tau
        nelg_tau                       n=n_update_tau  best=highest  nelg at tau
        comprehensiveness_tau          n=n_update_tau  best=highest  Comprehensiveness at tau (eq. 17), discount-free
        latency_comprehensiveness_tau  n=n_update_tau  best=highest  Comprehensiveness at tau (eq. 17), latency-discounted
        h_tau                          n=n_update_tau  best=highest  h at tau
        expected_latency_tau           n=n_update_tau  best=highest  Mean latency discount at tau
        expected_verbosity_tau         n=n_update_tau  best=lowest   Mean verbosity at tau
        n_update_tau                   n=n_update_tau  best=none     Updates of S sent before tau
edges:    The first match does not change when later updates are cut off, so nothing is matched again. The time is
          strict: an update sent at start + tau is not in S_tau. Before the first update 0/0 is NULL, or 0 where
          the profile says so. Events without a known start are not here.
class:    libm
see also: event_ratio__v1, curve__v1, gain_curve__v1
*/
select
    run_no, profile_no, subset_no, block_no, is_present,
    case when eg_tau_over = 'updates' then eg else eg_v end as eg_tau, eg_v as eg_v_tau, neg as neg_tau, elg as elg_tau,
    nelg as nelg_tau, comprehensiveness as comprehensiveness_tau,
    latency_comprehensiveness as latency_comprehensiveness_tau, h as h_tau, expected_latency as expected_latency_tau,
    expected_verbosity as expected_verbosity_tau, n_update as n_update_tau
from metric.summarization_event_ratio__v1 join registry.profile using (profile_no)
where subset_no > 0
