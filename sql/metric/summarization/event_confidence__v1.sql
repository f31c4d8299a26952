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
        best.run_no as run_no,
        best.profile_no as profile_no,
        best.block_no as block_no,
        1 as hit,
        best.ideal_gain as ideal_gain
    from metric.summarization_event_ideal__v1 as best

),

-- what the sums are divided by; no number when it is not above 0
divisor as (

    select
        weighted.run_no as run_no,
        weighted.profile_no as profile_no,
        weighted.block_no as block_no,
        profile.undefined as undefined,
        profile.confidence_latency_over as latency_over,
        case
            when profile.confidence_sum = 'not_divided' then 1e0
            when profile.confidence_sum = 'divided' and weighted.sum_weight > 0 then weighted.sum_weight
        end as confidence
    from metric.summarization_event_weight__v1 as weighted
    inner join registry.profile as profile on profile.profile_no = weighted.profile_no

),

ratio as (

    select
        summed.run_no as run_no,
        summed.profile_no as profile_no,
        summed.block_no as block_no,
        summed.is_present as is_present,
        divisor.undefined as undefined,
        summed.n_update as n_update,
        case when coalesce(ideal.hit, 0) = 1 then ideal.ideal_gain end as ideal_gain,
        weighted.sum_weight_gain / nullif(summed.sum_verbosity * divisor.confidence, 0e0) as eg_v_conf,
        weighted.sum_weight_latency_gain / nullif(summed.sum_verbosity * divisor.confidence, 0e0) as elg_conf,
        weighted.sum_weight_gain / nullif(event.sum_relevance * divisor.confidence, 0e0) as comprehensiveness_conf,
        weighted.sum_weight_latency_gain / nullif(event.sum_relevance * divisor.confidence, 0e0) as latency_comprehensiveness_conf,
        weighted.sum_weight_verbosity / nullif(summed.n_update * divisor.confidence, 0e0) as expected_verbosity_conf,
        weighted.sum_weight_latency
            / nullif(case when divisor.latency_over = 'matches' then summed.n_match else summed.n_update end * divisor.confidence, 0e0)
            as expected_latency_conf
    from metric.summarization_event_sum__v1 as summed
    inner join metric.summarization_event_weight__v1 as weighted
        on weighted.run_no = summed.run_no
        and weighted.profile_no = summed.profile_no
        and weighted.block_no = summed.block_no
    inner join divisor as divisor
        on divisor.run_no = summed.run_no
        and divisor.profile_no = summed.profile_no
        and divisor.block_no = summed.block_no
    inner join base.summarization_run_event__v1 as event
        on event.run_no = summed.run_no
        and event.profile_no = summed.profile_no
        and event.block_no = summed.block_no
    left join ideal as ideal
        on ideal.run_no = summed.run_no
        and ideal.profile_no = summed.profile_no
        and ideal.block_no = summed.block_no

),

normalised as (

    select
        ratio.run_no as run_no,
        ratio.profile_no as profile_no,
        ratio.block_no as block_no,
        ratio.is_present as is_present,
        ratio.undefined as undefined,
        ratio.eg_v_conf as eg_v_conf,
        ratio.elg_conf as elg_conf,
        ratio.comprehensiveness_conf as comprehensiveness_conf,
        ratio.latency_comprehensiveness_conf as latency_comprehensiveness_conf,
        ratio.expected_verbosity_conf as expected_verbosity_conf,
        ratio.expected_latency_conf as expected_latency_conf,
        ratio.n_update as n_update,
        ratio.eg_v_conf / nullif(ratio.ideal_gain, 0e0) as neg_conf,
        ratio.elg_conf / nullif(ratio.ideal_gain, 0e0) as nelg_conf
    from ratio as ratio

),

combined as (

    select
        normalised.run_no as run_no,
        normalised.profile_no as profile_no,
        normalised.block_no as block_no,
        normalised.is_present as is_present,
        normalised.undefined as undefined,
        normalised.eg_v_conf as eg_v_conf,
        normalised.elg_conf as elg_conf,
        normalised.comprehensiveness_conf as comprehensiveness_conf,
        normalised.latency_comprehensiveness_conf as latency_comprehensiveness_conf,
        normalised.expected_verbosity_conf as expected_verbosity_conf,
        normalised.expected_latency_conf as expected_latency_conf,
        normalised.n_update as n_update,
        normalised.neg_conf as neg_conf,
        normalised.nelg_conf as nelg_conf,
        case
            when normalised.nelg_conf + normalised.latency_comprehensiveness_conf > 0
                then 2e0 * normalised.nelg_conf * normalised.latency_comprehensiveness_conf / (normalised.nelg_conf + normalised.latency_comprehensiveness_conf)
            when normalised.nelg_conf + normalised.latency_comprehensiveness_conf = 0 then 0e0
        end as h_conf
    from normalised as normalised

)

select
    combined.run_no as run_no,
    combined.profile_no as profile_no,
    0 as subset_no,
    combined.block_no as block_no,
    combined.is_present as is_present,
    combined.n_update as n_update,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.eg_v_conf, 0e0)
        when combined.is_present = 1 then combined.eg_v_conf end as eg_v_conf,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.neg_conf, 0e0)
        when combined.is_present = 1 then combined.neg_conf end as neg_conf,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.elg_conf, 0e0)
        when combined.is_present = 1 then combined.elg_conf end as elg_conf,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.nelg_conf, 0e0)
        when combined.is_present = 1 then combined.nelg_conf end as nelg_conf,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.comprehensiveness_conf, 0e0)
        when combined.is_present = 1 then combined.comprehensiveness_conf end as comprehensiveness_conf,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.latency_comprehensiveness_conf, 0e0)
        when combined.is_present = 1 then combined.latency_comprehensiveness_conf end as latency_comprehensiveness_conf,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.h_conf, 0e0)
        when combined.is_present = 1 then combined.h_conf end as h_conf,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.expected_verbosity_conf, 0e0)
        when combined.is_present = 1 then combined.expected_verbosity_conf end as expected_verbosity_conf,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.expected_latency_conf, 0e0)
        when combined.is_present = 1 then combined.expected_latency_conf end as expected_latency_conf
from combined as combined
