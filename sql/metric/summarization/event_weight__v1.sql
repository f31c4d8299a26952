/*
title:    Sums of an event weighted by the confidence of the updates
source:   the track's programs of 2013 to 2015 (confidence-biased measures)
inputs:   base.summarization_run_event__v1, metric.summarization_update_gain__v1, metric.summarization_taken_nugget__v1
grain:    run_no, profile_no, block_no
columns:
    run_no                   key    run
    profile_no               key    scoring profile
    block_no                 key    event
    sum_weight               ratio  sum of the confidences; NULL where the profile takes none
    sum_weight_verbosity     ratio  sum of confidence * V(u); NULL where the profile takes none
    sum_weight_gain          ratio  sum of confidence * R(n) over the taken nuggets
    sum_weight_latency_gain  ratio  sum of confidence * R(n) * L
    sum_weight_latency       ratio  sum of confidence * L
edges:    Weights are in units of weight_scale. Sums over updates are in units of 1e-15,
          sums over taken nuggets in two limbs of 1e-12 and 1e-24: gains late in a long run weigh little.
class:    libm
see also: event_confidence__v1
*/
with sent as (
    select
        run_no, profile_no, block_no, exact_sum(weight / nullif(weight_scale, 0e0)) as confidence,
        exact_sum(weight / nullif(weight_scale, 0e0) * n_excess) as excess
    from metric.summarization_update_gain__v1 join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
    group by all
),

taken as (
    select
        run_no, profile_no, block_no, 1 as has_taken,
        exact_sum_wide(weight / nullif(weight_scale, 0e0) * relevance, 1e12) as gain,
        exact_sum_wide(weight / nullif(weight_scale, 0e0) * latency_gain, 1e12) as discounted_gain,
        exact_sum_wide(weight / nullif(weight_scale, 0e0) * latency_discount, 1e12) as discount
    from metric.summarization_taken_nugget__v1
    join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
    group by all
)

select
    run_no, profile_no, block_no, confidence * weight_scale as sum_weight,
    verbosity(confidence * weight_scale, excess * weight_scale, mean_word) as sum_weight_verbosity,
    case when has_taken = 1 then gain * weight_scale else 0e0 end as sum_weight_gain,
    case when has_taken = 1 then discounted_gain * weight_scale else 0e0 end as sum_weight_latency_gain,
    case when has_taken = 1 then discount * weight_scale else 0e0 end as sum_weight_latency
from base.summarization_run_event__v1
left join sent using (run_no, profile_no, block_no)
left join taken using (run_no, profile_no, block_no)
