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
        scored.run_no as run_no,
        scored.profile_no as profile_no,
        scored.subset_no as subset_no,
        scored.is_present as is_present,
        case when scored.is_present = 1 then scored.eg_tau end as eg_tau,
        case when scored.is_present = 1 then scored.eg_v_tau end as eg_v_tau,
        case when scored.is_present = 1 then scored.neg_tau end as neg_tau,
        case when scored.is_present = 1 then scored.elg_tau end as elg_tau,
        case when scored.is_present = 1 then scored.nelg_tau end as nelg_tau,
        case when scored.is_present = 1 then scored.comprehensiveness_tau end as comprehensiveness_tau,
        case when scored.is_present = 1 then scored.latency_comprehensiveness_tau end as latency_comprehensiveness_tau,
        case when scored.is_present = 1 then scored.h_tau end as h_tau,
        case when scored.is_present = 1 then scored.expected_latency_tau end as expected_latency_tau,
        case when scored.is_present = 1 then scored.expected_verbosity_tau end as expected_verbosity_tau,
        case when scored.is_present = 1 then scored.n_update_tau end as n_update_tau
    from metric.summarization_event_tau__v1 as scored

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
        count(event.eg_tau) as n_gain,
        count(event.eg_v_tau) as n_verb,
        count(event.neg_tau) as n_norm,
        count(event.comprehensiveness_tau) as n_comp,
        count(event.h_tau) as n_h,
        count(event.expected_latency_tau) as n_latency,
        sum(cast(floor(event.eg_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_eg_tau,
        sum(cast(floor(event.eg_v_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_eg_v_tau,
        sum(cast(floor(event.neg_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_neg_tau,
        sum(cast(floor(event.elg_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_elg_tau,
        sum(cast(floor(event.nelg_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_nelg_tau,
        sum(cast(floor(event.comprehensiveness_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_comprehensiveness_tau,
        sum(cast(floor(event.latency_comprehensiveness_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency_comprehensiveness_tau,
        sum(cast(floor(event.h_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_h_tau,
        sum(cast(floor(event.expected_latency_tau * 1e18 + 5e-1) as decimal(38, 0))) as sum_expected_latency_tau,
        sum(cast(floor(event.expected_verbosity_tau * 1e12 + 5e-1) as decimal(38, 0))) as sum_expected_verbosity_tau,
        sum(cast(floor(event.n_update_tau * 1e12 + 5e-1) as decimal(38, 0))) as sum_n_update_tau
    from event as event
    group by event.run_no, event.profile_no, event.subset_no

),

scored_run as (

    select
        run.run_no as run_no,
        used.profile_no as profile_no,
        tau.subset_no as subset_no
    from registry.run as run
    inner join registry.condition_profile as used on used.condition_no = run.condition_no
    inner join base.condition_tau as tau on tau.condition_no = run.condition_no

),

weighted as (

    select
        scored.run_no as run_no,
        scored.profile_no as profile_no,
        scored.subset_no as subset_no,
        'topic' as weighting,
        case when coalesce(total.hit, 0) = 1 then total.n_present else 0 end as n_event,
        case when coalesce(total.hit, 0) = 1 then total.n_gain else 0 end as n_event_gain,
        case when coalesce(total.hit, 0) = 1 then total.n_verb else 0 end as n_event_verb,
        case when coalesce(total.hit, 0) = 1 then total.n_norm else 0 end as n_event_norm,
        case when coalesce(total.hit, 0) = 1 then total.n_comp else 0 end as n_event_comp,
        case when coalesce(total.hit, 0) = 1 then total.n_h else 0 end as n_event_h,
        case when coalesce(total.hit, 0) = 1 then total.n_latency else 0 end as n_event_latency,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_eg_tau, 0) else 0 end as sum_eg_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_eg_v_tau, 0) else 0 end as sum_eg_v_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_neg_tau, 0) else 0 end as sum_neg_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_elg_tau, 0) else 0 end as sum_elg_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_nelg_tau, 0) else 0 end as sum_nelg_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_comprehensiveness_tau, 0) else 0 end as sum_comprehensiveness_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_latency_comprehensiveness_tau, 0) else 0 end as sum_latency_comprehensiveness_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_h_tau, 0) else 0 end as sum_h_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_expected_latency_tau, 0) else 0 end as sum_expected_latency_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_expected_verbosity_tau, 0) else 0 end as sum_expected_verbosity_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_n_update_tau, 0) else 0 end as sum_n_update_tau
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
        case when coalesce(total.hit, 0) = 1 then total.n_all else 0 end as n_event_verb,
        case when coalesce(total.hit, 0) = 1 then total.n_all else 0 end as n_event_norm,
        case when coalesce(total.hit, 0) = 1 then total.n_all else 0 end as n_event_comp,
        case when coalesce(total.hit, 0) = 1 then total.n_all else 0 end as n_event_h,
        case when coalesce(total.hit, 0) = 1 and (total.n_latency > 0 or total.n_present = 0) then total.n_all else 0 end as n_event_latency,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_eg_tau, 0) else 0 end as sum_eg_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_eg_v_tau, 0) else 0 end as sum_eg_v_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_neg_tau, 0) else 0 end as sum_neg_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_elg_tau, 0) else 0 end as sum_elg_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_nelg_tau, 0) else 0 end as sum_nelg_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_comprehensiveness_tau, 0) else 0 end as sum_comprehensiveness_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_latency_comprehensiveness_tau, 0) else 0 end as sum_latency_comprehensiveness_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_h_tau, 0) else 0 end as sum_h_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_expected_latency_tau, 0) else 0 end as sum_expected_latency_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_expected_verbosity_tau, 0) else 0 end as sum_expected_verbosity_tau,
        case when coalesce(total.hit, 0) = 1 then coalesce(total.sum_n_update_tau, 0) else 0 end as sum_n_update_tau
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
    case when weighted.n_event_gain > 0 then cast(weighted.sum_eg_tau as double) / 1e18 / weighted.n_event_gain end as eg_tau,
    case when weighted.n_event_verb > 0 then cast(weighted.sum_eg_v_tau as double) / 1e18 / weighted.n_event_verb end as eg_v_tau,
    case when weighted.n_event_norm > 0 then cast(weighted.sum_neg_tau as double) / 1e18 / weighted.n_event_norm end as neg_tau,
    case when weighted.n_event_verb > 0 then cast(weighted.sum_elg_tau as double) / 1e18 / weighted.n_event_verb end as elg_tau,
    case when weighted.n_event_norm > 0 then cast(weighted.sum_nelg_tau as double) / 1e18 / weighted.n_event_norm end as nelg_tau,
    case when weighted.n_event_comp > 0 then cast(weighted.sum_comprehensiveness_tau as double) / 1e18 / weighted.n_event_comp end as comprehensiveness_tau,
    case when weighted.n_event_comp > 0 then cast(weighted.sum_latency_comprehensiveness_tau as double) / 1e18 / weighted.n_event_comp end as latency_comprehensiveness_tau,
    case when weighted.n_event_h > 0 then cast(weighted.sum_h_tau as double) / 1e18 / weighted.n_event_h end as h_tau,
    case when weighted.n_event_latency > 0 then cast(weighted.sum_expected_latency_tau as double) / 1e18 / weighted.n_event_latency end as expected_latency_tau,
    case when weighted.n_event_verb > 0 then cast(weighted.sum_expected_verbosity_tau as double) / 1e12 / weighted.n_event_verb end as expected_verbosity_tau,
    case when weighted.n_event > 0 then cast(weighted.sum_n_update_tau as double) / 1e12 / weighted.n_event end as n_update_tau,
    cast(weighted.n_event as bigint) as n_event,
    cast(weighted.n_event_gain as bigint) as n_event_gain,
    cast(weighted.n_event_verb as bigint) as n_event_verb,
    cast(weighted.n_event_norm as bigint) as n_event_norm,
    cast(weighted.n_event_comp as bigint) as n_event_comp,
    cast(weighted.n_event_h as bigint) as n_event_h,
    cast(weighted.n_event_latency as bigint) as n_event_latency
from weighted as weighted
