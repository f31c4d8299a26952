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
edges:    Confidences are taken in units of the run's greatest on the event. Sums over updates are in units of 1e-15,
          sums over taken nuggets in two limbs of 1e-12 and 1e-24: gains late in a long run weigh little.
class:    libm
see also: event_confidence__v1
*/
with

update_sum as (
    select
        run_no, profile_no, block_no,
        1 as hit,
        sum(cast(floor(weight / nullif(weight_scale, 0e0) * 1e15 + 5e-1) as decimal(38, 0))) as sum_weight,
        sum(cast(floor(weight / nullif(weight_scale, 0e0) * n_excess * 1e15 + 5e-1) as decimal(38, 0)))
            as sum_excess
    from metric.summarization_update_gain__v1
    join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
    group by run_no, profile_no, block_no
),

scaled as (
    select
        run_no, profile_no, block_no,
        weight / nullif(weight_scale, 0e0) * relevance * 1e12 as sum_weight_gain,
        weight / nullif(weight_scale, 0e0) * latency_gain * 1e12 as sum_weight_latency_gain,
        weight / nullif(weight_scale, 0e0) * latency_discount * 1e12 as sum_weight_latency
    from metric.summarization_taken_nugget__v1
    join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
),

taken_sum as (
    select
        run_no, profile_no, block_no,
        1 as hit,
        sum(cast(floor(sum_weight_gain) as decimal(38, 0))) as whole_weight_gain,
        sum(cast(floor((sum_weight_gain - floor(sum_weight_gain)) * 1e12 + 5e-1) as decimal(38, 0))) as rest_weight_gain,
        sum(cast(floor(sum_weight_latency_gain) as decimal(38, 0))) as whole_weight_latency_gain,
        sum(cast(floor((sum_weight_latency_gain - floor(sum_weight_latency_gain)) * 1e12 + 5e-1) as decimal(38, 0))) as rest_weight_latency_gain,
        sum(cast(floor(sum_weight_latency) as decimal(38, 0))) as whole_weight_latency,
        sum(cast(floor((sum_weight_latency - floor(sum_weight_latency)) * 1e12 + 5e-1) as decimal(38, 0))) as rest_weight_latency
    from scaled
    group by run_no, profile_no, block_no
),

summed as (
    select
        run_no, profile_no, block_no, mean_word,
        case when coalesce(sent.hit, 0) = 1 then cast(sum_weight as double) / 1e15 * weight_scale end as sum_weight,
        case when coalesce(sent.hit, 0) = 1 then cast(sum_excess as double) / 1e15 * weight_scale end as sum_excess,
        case when coalesce(got.hit, 0) = 1
            then (cast(whole_weight_gain as double) / 1e12 + cast(rest_weight_gain as double) / 1e24) * weight_scale
            else 0e0 end as sum_weight_gain,
        case when coalesce(got.hit, 0) = 1
            then (cast(whole_weight_latency_gain as double) / 1e12 + cast(rest_weight_latency_gain as double) / 1e24) * weight_scale
            else 0e0 end as sum_weight_latency_gain,
        case when coalesce(got.hit, 0) = 1
            then (cast(whole_weight_latency as double) / 1e12 + cast(rest_weight_latency as double) / 1e24) * weight_scale
            else 0e0 end as sum_weight_latency
    from base.summarization_run_event__v1
    left join update_sum as sent using (run_no, profile_no, block_no)
    left join taken_sum as got using (run_no, profile_no, block_no)
)

select
    run_no, profile_no, block_no, sum_weight,
    case when mean_word > 0 then sum_weight + sum_excess / mean_word else sum_weight end
        as sum_weight_verbosity,
    sum_weight_gain, sum_weight_latency_gain, sum_weight_latency
from summed
