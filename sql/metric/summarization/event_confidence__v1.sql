/*
title:    The confidence-biased numbers of an event
formula:  G, LG, V and L weighted by confidence c; D = sum of c (confidence_sum divided), or 1 (not_divided):
              eg_v_conf = sum cG / (sum V * D)              elg_conf = sum cLG / (sum V * D)
              comprehensiveness_conf = sum cG / (W * D)     latency_comprehensiveness_conf = sum cLG / (W * D)
              expected_verbosity_conf = sum cV / (|S| * D)  expected_latency_conf = sum cL / (taken nuggets or |S| * D)
              neg_conf, nelg_conf, h_conf as neg, nelg, h
source:   the track's programs of 2013 to 2015 (confidence-biased measures)
inputs:   metric.summarization_event_sum__v1, metric.summarization_event_weight__v1, metric.summarization_event_ideal__v1, base.summarization_run_event__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                          key    run
    profile_no                      key    scoring profile
    subset_no                       key    0: all
    block_no                        key    event
    is_present                      flag   1: the run has a row for the event
    n_update                        count  updates of S
    eg_v_conf                       ratio  eg_v, confidence-biased
    neg_conf                        ratio  neg, confidence-biased
    elg_conf                        ratio  elg, confidence-biased
    nelg_conf                       ratio  nelg, confidence-biased
    comprehensiveness_conf          ratio  Comprehensiveness, confidence-biased
    latency_comprehensiveness_conf  ratio  Latency comprehensiveness, confidence-biased
    h_conf                          ratio  Harmonic mean of nelg_conf and latency_comprehensiveness_conf
    expected_verbosity_conf         ratio  Mean verbosity, confidence-biased
    expected_latency_conf           ratio  Mean latency discount, confidence-biased
metrics:
        eg_v_conf                       n=n_update  best=highest  eg_v, confidence-biased
        neg_conf                        n=n_update  best=highest  neg, confidence-biased
        elg_conf                        n=n_update  best=highest  elg, confidence-biased
        nelg_conf                       n=n_update  best=highest  nelg, confidence-biased
        comprehensiveness_conf          n=n_update  best=highest  Comprehensiveness, confidence-biased
        latency_comprehensiveness_conf  n=n_update  best=highest  Latency comprehensiveness, confidence-biased
        h_conf                          n=n_update  best=highest  Harmonic mean of nelg_conf and latency_comprehensiveness_conf
        expected_verbosity_conf         n=n_update  best=lowest   Mean verbosity, confidence-biased
        expected_latency_conf           n=n_update  best=highest  Mean latency discount, confidence-biased
edges:    Undefined as in event__v1. With a sum of confidences of 0 or less nothing is defined (2013). A profile that
          weighs nothing by confidence has NULL everywhere.
class:    libm
see also: event__v1, score_confidence__v1
*/
with

ideal as (
    select
        run_no, profile_no, block_no,
        1 as hit,
        ideal_gain
    from metric.summarization_event_ideal__v1
),

-- what the sums are divided by; no number when it is not above 0
divisor as (
    select
        run_no, profile_no, block_no, undefined,
        confidence_latency_over as latency_over,
        case
            when confidence_sum = 'not_divided' then 1e0
            when confidence_sum = 'divided' and sum_weight > 0 then sum_weight
        end as confidence
    from metric.summarization_event_weight__v1
    join registry.profile using (profile_no)
),

ratio as (
    select
        run_no, profile_no, block_no, summed.is_present, undefined, n_update,
        case when coalesce(hit, 0) = 1 then ideal_gain end as ideal_gain,
        sum_weight_gain / nullif(sum_verbosity * confidence, 0e0) as eg_v_conf,
        sum_weight_latency_gain / nullif(sum_verbosity * confidence, 0e0) as elg_conf,
        sum_weight_gain / nullif(sum_relevance * confidence, 0e0) as comprehensiveness_conf,
        sum_weight_latency_gain / nullif(sum_relevance * confidence, 0e0) as latency_comprehensiveness_conf,
        sum_weight_verbosity / nullif(n_update * confidence, 0e0) as expected_verbosity_conf,
        sum_weight_latency
            / nullif(case when latency_over = 'matches' then n_match else n_update end * confidence, 0e0)
            as expected_latency_conf
    from metric.summarization_event_sum__v1 as summed
    join metric.summarization_event_weight__v1 using (run_no, profile_no, block_no)
    join divisor using (run_no, profile_no, block_no)
    join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
    left join ideal using (run_no, profile_no, block_no)
),

normalised as (
    select
        run_no, profile_no, block_no, is_present, undefined, eg_v_conf, elg_conf, comprehensiveness_conf,
        latency_comprehensiveness_conf, expected_verbosity_conf, expected_latency_conf, n_update,
        eg_v_conf / nullif(ideal_gain, 0e0) as neg_conf,
        elg_conf / nullif(ideal_gain, 0e0) as nelg_conf
    from ratio
),

combined as (
    select
        run_no, profile_no, block_no, is_present, undefined, eg_v_conf, elg_conf, comprehensiveness_conf,
        latency_comprehensiveness_conf, expected_verbosity_conf, expected_latency_conf, n_update, neg_conf, nelg_conf,
        case
            when nelg_conf + latency_comprehensiveness_conf > 0
                then 2e0 * nelg_conf * latency_comprehensiveness_conf / (nelg_conf + latency_comprehensiveness_conf)
            when nelg_conf + latency_comprehensiveness_conf = 0 then 0e0
        end as h_conf
    from normalised
)

select
    run_no, profile_no,
    0 as subset_no,
    block_no, is_present, n_update,
    case when is_present = 1 and undefined = 'zero' then coalesce(eg_v_conf, 0e0)
        when is_present = 1 then eg_v_conf end as eg_v_conf,
    case when is_present = 1 and undefined = 'zero' then coalesce(neg_conf, 0e0)
        when is_present = 1 then neg_conf end as neg_conf,
    case when is_present = 1 and undefined = 'zero' then coalesce(elg_conf, 0e0)
        when is_present = 1 then elg_conf end as elg_conf,
    case when is_present = 1 and undefined = 'zero' then coalesce(nelg_conf, 0e0)
        when is_present = 1 then nelg_conf end as nelg_conf,
    case when is_present = 1 and undefined = 'zero' then coalesce(comprehensiveness_conf, 0e0)
        when is_present = 1 then comprehensiveness_conf end as comprehensiveness_conf,
    case when is_present = 1 and undefined = 'zero' then coalesce(latency_comprehensiveness_conf, 0e0)
        when is_present = 1 then latency_comprehensiveness_conf end as latency_comprehensiveness_conf,
    case when is_present = 1 and undefined = 'zero' then coalesce(h_conf, 0e0)
        when is_present = 1 then h_conf end as h_conf,
    case when is_present = 1 and undefined = 'zero' then coalesce(expected_verbosity_conf, 0e0)
        when is_present = 1 then expected_verbosity_conf end as expected_verbosity_conf,
    case when is_present = 1 and undefined = 'zero' then coalesce(expected_latency_conf, 0e0)
        when is_present = 1 then expected_latency_conf end as expected_latency_conf
from combined
