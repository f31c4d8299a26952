/*
title:    The confidence-biased numbers of a run: means over events
formula:  topic:     mean over the events that the run has a row for
          topic_all: mean over all events of the condition; an event the run has no row for counts 0 (eq. 13)
source:   TREC 2013 Temporal Summarization Metrics, eq. 13; the track's programs of 2013 to 2015 (topic)
inputs:   metric.summarization_event_confidence__v1, registry.run, registry.condition, registry.condition_profile
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no                          key     run
    profile_no                      key     scoring profile
    subset_no                       key     0: all
    weighting                       key     topic or topic_all
    eg_v_conf                       ratio   eg_v, confidence-biased
    neg_conf                        ratio   neg, confidence-biased
    elg_conf                        ratio   elg, confidence-biased
    nelg_conf                       ratio   nelg, confidence-biased
    comprehensiveness_conf          ratio   Comprehensiveness, confidence-biased
    latency_comprehensiveness_conf  ratio   Latency comprehensiveness, confidence-biased
    h_conf                          ratio   Harmonic mean of nelg_conf and latency_comprehensiveness_conf
    expected_verbosity_conf         ratio   Mean verbosity, confidence-biased
    expected_latency_conf           ratio   Mean latency discount, confidence-biased
    n_event                         events  that entered the means of counts
    n_event_conf                    events  that entered the means of eg_v_conf, neg_conf, elg_conf, nelg_conf, comprehensiveness_conf, latency_comprehensiveness_conf, h_conf, expected_verbosity_conf, expected_latency_conf
metrics:
        eg_v_conf                       n=n_event_conf  best=highest  eg_v, confidence-biased
        neg_conf                        n=n_event_conf  best=highest  neg, confidence-biased
        elg_conf                        n=n_event_conf  best=highest  elg, confidence-biased
        nelg_conf                       n=n_event_conf  best=highest  nelg, confidence-biased
        comprehensiveness_conf          n=n_event_conf  best=highest  Comprehensiveness, confidence-biased
        latency_comprehensiveness_conf  n=n_event_conf  best=highest  Latency comprehensiveness, confidence-biased
        h_conf                          n=n_event_conf  best=highest  Harmonic mean of nelg_conf and latency_comprehensiveness_conf
        expected_verbosity_conf         n=n_event_conf  best=lowest   Mean verbosity, confidence-biased
        expected_latency_conf           n=n_event_conf  best=highest  Mean latency discount, confidence-biased
edges:    Undefined numbers of an event are left out of the topic mean, and count 0 in topic_all when another event
          has one. A run without any event has topic NULL, n 0.
class:    libm
see also: event_confidence__v1, score__v1
*/
with

event as (
    select
        run_no, profile_no, subset_no, is_present,
        case when is_present = 1 then eg_v_conf end as eg_v_conf,
        case when is_present = 1 then neg_conf end as neg_conf,
        case when is_present = 1 then elg_conf end as elg_conf,
        case when is_present = 1 then nelg_conf end as nelg_conf,
        case when is_present = 1 then comprehensiveness_conf end as comprehensiveness_conf,
        case when is_present = 1 then latency_comprehensiveness_conf end as latency_comprehensiveness_conf,
        case when is_present = 1 then h_conf end as h_conf,
        case when is_present = 1 then expected_verbosity_conf end as expected_verbosity_conf,
        case when is_present = 1 then expected_latency_conf end as expected_latency_conf
    from metric.summarization_event_confidence__v1
),

-- fixed point, divided once
total as (
    select
        run_no, profile_no, subset_no,
        1 as hit,
        count(*) as n_all,
        sum(is_present) as n_present,
        count(eg_v_conf) as n_conf,
        sum(cast(floor(eg_v_conf * 1e18 + 5e-1) as decimal(38, 0))) as sum_eg_v_conf,
        sum(cast(floor(neg_conf * 1e18 + 5e-1) as decimal(38, 0))) as sum_neg_conf,
        sum(cast(floor(elg_conf * 1e18 + 5e-1) as decimal(38, 0))) as sum_elg_conf,
        sum(cast(floor(nelg_conf * 1e18 + 5e-1) as decimal(38, 0))) as sum_nelg_conf,
        sum(cast(floor(comprehensiveness_conf * 1e18 + 5e-1) as decimal(38, 0))) as sum_comprehensiveness_conf,
        sum(cast(floor(latency_comprehensiveness_conf * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency_comprehensiveness_conf,
        sum(cast(floor(h_conf * 1e18 + 5e-1) as decimal(38, 0))) as sum_h_conf,
        sum(cast(floor(expected_verbosity_conf * 1e12 + 5e-1) as decimal(38, 0))) as sum_expected_verbosity_conf,
        sum(cast(floor(expected_latency_conf * 1e18 + 5e-1) as decimal(38, 0))) as sum_expected_latency_conf
    from event
    group by run_no, profile_no, subset_no
),

scored_run as (
    select
        run_no, profile_no,
        0 as subset_no
    from registry.run
    join registry.condition using (condition_no)
    join registry.condition_profile using (condition_no)
    where task = 'summarization'
),

weighted as (
    select
        run_no, profile_no, subset_no,
        'topic' as weighting,
        case when coalesce(hit, 0) = 1 then n_present else 0 end as n_event,
        case when coalesce(hit, 0) = 1 then n_conf else 0 end as n_event_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_eg_v_conf, 0) else 0 end as sum_eg_v_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_neg_conf, 0) else 0 end as sum_neg_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_elg_conf, 0) else 0 end as sum_elg_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_nelg_conf, 0) else 0 end as sum_nelg_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_comprehensiveness_conf, 0) else 0 end as sum_comprehensiveness_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_latency_comprehensiveness_conf, 0) else 0 end as sum_latency_comprehensiveness_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_h_conf, 0) else 0 end as sum_h_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_verbosity_conf, 0) else 0 end as sum_expected_verbosity_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_latency_conf, 0) else 0 end as sum_expected_latency_conf
    from scored_run
    left join total using (run_no, profile_no, subset_no)

    union all

    select
        run_no, profile_no, subset_no,
        'topic_all' as weighting,
        case when coalesce(hit, 0) = 1 then n_all else 0 end as n_event,
        case when coalesce(hit, 0) = 1 and (n_conf > 0 or n_present = 0) then n_all else 0 end as n_event_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_eg_v_conf, 0) else 0 end as sum_eg_v_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_neg_conf, 0) else 0 end as sum_neg_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_elg_conf, 0) else 0 end as sum_elg_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_nelg_conf, 0) else 0 end as sum_nelg_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_comprehensiveness_conf, 0) else 0 end as sum_comprehensiveness_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_latency_comprehensiveness_conf, 0) else 0 end as sum_latency_comprehensiveness_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_h_conf, 0) else 0 end as sum_h_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_verbosity_conf, 0) else 0 end as sum_expected_verbosity_conf,
        case when coalesce(hit, 0) = 1 then coalesce(sum_expected_latency_conf, 0) else 0 end as sum_expected_latency_conf
    from scored_run
    left join total using (run_no, profile_no, subset_no)
)

select
    run_no, profile_no, subset_no, weighting,
    case when n_event_conf > 0 then cast(sum_eg_v_conf as double) / 1e18 / n_event_conf end as eg_v_conf,
    case when n_event_conf > 0 then cast(sum_neg_conf as double) / 1e18 / n_event_conf end as neg_conf,
    case when n_event_conf > 0 then cast(sum_elg_conf as double) / 1e18 / n_event_conf end as elg_conf,
    case when n_event_conf > 0 then cast(sum_nelg_conf as double) / 1e18 / n_event_conf end as nelg_conf,
    case when n_event_conf > 0 then cast(sum_comprehensiveness_conf as double) / 1e18 / n_event_conf end as comprehensiveness_conf,
    case when n_event_conf > 0 then cast(sum_latency_comprehensiveness_conf as double) / 1e18 / n_event_conf end as latency_comprehensiveness_conf,
    case when n_event_conf > 0 then cast(sum_h_conf as double) / 1e18 / n_event_conf end as h_conf,
    case when n_event_conf > 0 then cast(sum_expected_verbosity_conf as double) / 1e12 / n_event_conf end as expected_verbosity_conf,
    case when n_event_conf > 0 then cast(sum_expected_latency_conf as double) / 1e18 / n_event_conf end as expected_latency_conf,
    cast(n_event as bigint) as n_event,
    cast(n_event_conf as bigint) as n_event_conf
from weighted
