/*
title:    Time-sensitive numbers of a run: means over events
formula:  topic:     mean over the events that the run has a row for
          topic_all: mean over all events of the condition; an event the run has no row for counts 0 (eq. 13)
source:   TREC 2013 Temporal Summarization Metrics, eq. 13, 14, 17
inputs:   metric.summarization_event_tau__v1, base.condition_tau, registry.run, registry.condition_profile
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no                         key     run
    profile_no                     key     scoring profile
    subset_no                      key     the subset tau=SECONDS
    weighting                      key     topic or topic_all
    eg_tau                         ratio   EG at tau (eq. 14): eq. 12 under the programs' profiles, eq. 10 under the metrics document
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
    n_event_comp                   events  that entered the means of comprehensiveness_tau, latency_comprehensiveness_tau
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
        expected_verbosity_tau         n=n_event_verb     best=lowest   Mean verbosity at tau
        n_update_tau                   n=n_event          best=none     Updates of S sent before tau
edges:    topic_all of eg_tau is MEG at tau, an event without an update before tau counting 0. Events without a known
          start have no time-sensitive numbers and are in no mean.
class:    libm
see also: event_tau__v1
*/
with

event as (
    select
        run_no, profile_no, subset_no, is_present,
        case when is_present = 1 then eg_tau end as eg_tau,
        case when is_present = 1 then eg_v_tau end as eg_v_tau,
        case when is_present = 1 then neg_tau end as neg_tau,
        case when is_present = 1 then elg_tau end as elg_tau,
        case when is_present = 1 then nelg_tau end as nelg_tau,
        case when is_present = 1 then comprehensiveness_tau end as comprehensiveness_tau,
        case when is_present = 1 then latency_comprehensiveness_tau end as latency_comprehensiveness_tau,
        case when is_present = 1 then h_tau end as h_tau,
        case when is_present = 1 then expected_latency_tau end as expected_latency_tau,
        case when is_present = 1 then expected_verbosity_tau end as expected_verbosity_tau,
        case when is_present = 1 then n_update_tau end as n_update_tau
    from metric.summarization_event_tau__v1
),

-- fixed point, divided once
total as (
    select
        run_no, profile_no, subset_no,
        1 as hit,
        count(*) as n_all,
        sum(is_present) as n_present,
        count(eg_tau) as n_gain,
        count(eg_v_tau) as n_verb,
        count(neg_tau) as n_norm,
        count(comprehensiveness_tau) as n_comp,
        count(h_tau) as n_h,
        count(expected_latency_tau) as n_latency,
        sum(cast(floor(eg_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_eg_tau,
        sum(cast(floor(eg_v_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_eg_v_tau,
        sum(cast(floor(neg_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_neg_tau,
        sum(cast(floor(elg_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_elg_tau,
        sum(cast(floor(nelg_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_nelg_tau,
        sum(cast(floor(comprehensiveness_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_comprehensiveness_tau,
        sum(cast(floor(latency_comprehensiveness_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency_comprehensiveness_tau,
        sum(cast(floor(h_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_h_tau,
        sum(cast(floor(expected_latency_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_expected_latency_tau,
        sum(cast(floor(expected_verbosity_tau * 1e12 + 5e-1) as decimal(38, 0))) as sum_expected_verbosity_tau,
        sum(cast(floor(n_update_tau * 1e12 + 5e-1) as decimal(38, 0))) as sum_n_update_tau
    from event
    group by run_no, profile_no, subset_no
),

scored_run as (
    select
        run_no, profile_no, subset_no
    from registry.run
    join registry.condition_profile using (condition_no)
    join base.condition_tau using (condition_no)
),

weighted as (
    select
        run_no, profile_no, subset_no,
        'topic' as weighting,
        case when coalesce(hit, 0) = 1 then n_present else 0 end as n_event,
        case when coalesce(hit, 0) = 1 then n_gain else 0 end as n_event_gain,
        case when coalesce(hit, 0) = 1 then n_verb else 0 end as n_event_verb,
        case when coalesce(hit, 0) = 1 then n_norm else 0 end as n_event_norm,
        case when coalesce(hit, 0) = 1 then n_comp else 0 end as n_event_comp,
        case when coalesce(hit, 0) = 1 then n_h else 0 end as n_event_h,
        case when coalesce(hit, 0) = 1 then n_latency else 0 end as n_event_latency,
        case when coalesce(hit, 0) = 1 then coalesce(sum_eg_tau, 0) else 0 end as sum_eg_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_eg_v_tau, 0) else 0 end as sum_eg_v_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_neg_tau, 0) else 0 end as sum_neg_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_elg_tau, 0) else 0 end as sum_elg_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_nelg_tau, 0) else 0 end as sum_nelg_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_comprehensiveness_tau, 0) else 0 end as sum_comprehensiveness_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_latency_comprehensiveness_tau, 0) else 0 end as sum_latency_comprehensiveness_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_h_tau, 0) else 0 end as sum_h_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_latency_tau, 0) else 0 end as sum_expected_latency_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_verbosity_tau, 0) else 0 end as sum_expected_verbosity_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_n_update_tau, 0) else 0 end as sum_n_update_tau
    from scored_run
    left join total using (run_no, profile_no, subset_no)

    union all

    select
        run_no, profile_no, subset_no,
        'topic_all' as weighting,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event_gain,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event_verb,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event_norm,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event_comp,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event_h,
        case when coalesce(hit, 0) = 1 and (n_latency > 0 or n_present = 0) then n_all else 0 end as n_event_latency,
        case when coalesce(hit, 0) = 1 then coalesce(sum_eg_tau, 0) else 0 end as sum_eg_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_eg_v_tau, 0) else 0 end as sum_eg_v_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_neg_tau, 0) else 0 end as sum_neg_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_elg_tau, 0) else 0 end as sum_elg_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_nelg_tau, 0) else 0 end as sum_nelg_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_comprehensiveness_tau, 0) else 0 end as sum_comprehensiveness_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_latency_comprehensiveness_tau, 0) else 0 end as sum_latency_comprehensiveness_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_h_tau, 0) else 0 end as sum_h_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_latency_tau, 0) else 0 end as sum_expected_latency_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_verbosity_tau, 0) else 0 end as sum_expected_verbosity_tau,
        case when coalesce(hit, 0) = 1 then coalesce(sum_n_update_tau, 0) else 0 end as sum_n_update_tau
    from scored_run
    left join total using (run_no, profile_no, subset_no)
)

select
    run_no, profile_no, subset_no, weighting,
    case when n_event_gain > 0 then cast(sum_eg_tau as double) / 1e18 / n_event_gain end as eg_tau,
    case when n_event_verb > 0 then cast(sum_eg_v_tau as double) / 1e18 / n_event_verb end as eg_v_tau,
    case when n_event_norm > 0 then cast(sum_neg_tau as double) / 1e18 / n_event_norm end as neg_tau,
    case when n_event_verb > 0 then cast(sum_elg_tau as double) / 1e18 / n_event_verb end as elg_tau,
    case when n_event_norm > 0 then cast(sum_nelg_tau as double) / 1e18 / n_event_norm end as nelg_tau,
    case when n_event_comp > 0 then cast(sum_comprehensiveness_tau as double) / 1e18 / n_event_comp end as comprehensiveness_tau,
    case when n_event_comp > 0 then cast(sum_latency_comprehensiveness_tau as double) / 1e18 / n_event_comp end as latency_comprehensiveness_tau,
    case when n_event_h > 0 then cast(sum_h_tau as double) / 1e18 / n_event_h end as h_tau,
    case when n_event_latency > 0 then cast(sum_expected_latency_tau as double) / 1e18 / n_event_latency end as expected_latency_tau,
    case when n_event_verb > 0 then cast(sum_expected_verbosity_tau as double) / 1e12 / n_event_verb end as expected_verbosity_tau,
    case when n_event > 0 then cast(sum_n_update_tau as double) / 1e12 / n_event end as n_update_tau,
    cast(n_event as bigint) as n_event,
    cast(n_event_gain as bigint) as n_event_gain,
    cast(n_event_verb as bigint) as n_event_verb,
    cast(n_event_norm as bigint) as n_event_norm,
    cast(n_event_comp as bigint) as n_event_comp,
    cast(n_event_h as bigint) as n_event_h,
    cast(n_event_latency as bigint) as n_event_latency
from weighted
