/*
title:    The confidence-biased numbers of an event
formula:  G, LG, V and L weighted by confidence c; D = sum of c (confidence_sum divided), or 1 (not_divided):
              eg_v_conf = sum cG / (sum V * D)              elg_conf = sum cLG / (sum V * D)
              comprehensiveness_conf = sum cG / (W * D)     latency_comprehensiveness_conf = sum cLG / (W * D)
              expected_verbosity_conf = sum cV / (|S| * D)  expected_latency_conf = sum cL / (taken nuggets or |S| * D)
              neg_conf, nelg_conf, h_conf as neg, nelg, h
source:   the track's programs of 2013 to 2015 (confidence-biased measures)
inputs:   metric.summarization_event_sum__v1, metric.summarization_event_weight__v1,
          metric.summarization_event_ideal__v1, registry.profile
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
          has zero weight by confidence has NULL everywhere.
class:    libm
see also: event__v1, score_confidence__v1
*/
-- the divisor is NULL when it is not above 0
with divided as (
    select
        run_no, profile_no, subset_no, block_no, is_present, n_update, ideal_gain,
        case when confidence_latency_over = 'matches' then n_match else n_update end as n_latency,
        case
            when confidence_sum = 'not_divided' then 1e0
            when confidence_sum = 'divided' and sum_weight > 0 then sum_weight
        end as divisor,
        case when is_present = 1 and undefined = 'zero' then 0e0 end as if_undefined,
        ratio(sum_weight_gain, sum_verbosity * divisor) as gain,
        ratio(sum_weight_latency_gain, sum_verbosity * divisor) as latency_gain,
        ratio(sum_weight_gain, possible_gain * divisor) as comprehensive,
        ratio(sum_weight_latency_gain, possible_gain * divisor) as latency_comprehensive,
        ratio(sum_weight_verbosity, n_update * divisor) as verbosity,
        ratio(sum_weight_latency, n_latency * divisor) as latency
    from metric.summarization_event_sum__v1
    join metric.summarization_event_weight__v1 using (run_no, profile_no, block_no)
    join registry.profile using (profile_no)
    left join metric.summarization_event_ideal__v1 using (run_no, profile_no, subset_no, block_no)
    where subset_no = 0
)

select
    run_no, profile_no, subset_no, block_no, is_present, n_update, coalesce(gain, if_undefined) as eg_v_conf,
    coalesce(ratio(gain, ideal_gain), if_undefined) as neg_conf, coalesce(latency_gain, if_undefined) as elg_conf,
    coalesce(ratio(latency_gain, ideal_gain), if_undefined) as nelg_conf,
    coalesce(comprehensive, if_undefined) as comprehensiveness_conf,
    coalesce(latency_comprehensive, if_undefined) as latency_comprehensiveness_conf,
    coalesce(harmonic_mean(ratio(latency_gain, ideal_gain), latency_comprehensive), if_undefined) as h_conf,
    coalesce(verbosity, if_undefined) as expected_verbosity_conf,
    coalesce(latency, if_undefined) as expected_latency_conf
from divided
