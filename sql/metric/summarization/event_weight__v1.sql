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
        gained.run_no as run_no,
        gained.profile_no as profile_no,
        gained.block_no as block_no,
        1 as hit,
        sum(cast(floor(gained.weight / nullif(event.weight_scale, 0e0) * 1e15 + 5e-1) as decimal(38, 0))) as sum_weight,
        sum(cast(floor(gained.weight / nullif(event.weight_scale, 0e0) * gained.n_excess * 1e15 + 5e-1) as decimal(38, 0)))
            as sum_excess
    from metric.summarization_update_gain__v1 as gained
    inner join base.summarization_run_event__v1 as event
        on event.run_no = gained.run_no
        and event.profile_no = gained.profile_no
        and event.block_no = gained.block_no
    group by gained.run_no, gained.profile_no, gained.block_no

),

scaled as (

    select
        taken.run_no as run_no,
        taken.profile_no as profile_no,
        taken.block_no as block_no,
        taken.weight / nullif(event.weight_scale, 0e0) * taken.relevance * 1e12 as sum_weight_gain,
        taken.weight / nullif(event.weight_scale, 0e0) * taken.latency_gain * 1e12 as sum_weight_latency_gain,
        taken.weight / nullif(event.weight_scale, 0e0) * taken.latency_discount * 1e12 as sum_weight_latency
    from metric.summarization_taken_nugget__v1 as taken
    inner join base.summarization_run_event__v1 as event
        on event.run_no = taken.run_no
        and event.profile_no = taken.profile_no
        and event.block_no = taken.block_no

),

taken_sum as (

    select
        scaled.run_no as run_no,
        scaled.profile_no as profile_no,
        scaled.block_no as block_no,
        1 as hit,
        sum(cast(floor(scaled.sum_weight_gain) as decimal(38, 0))) as whole_weight_gain,
        sum(cast(floor((scaled.sum_weight_gain - floor(scaled.sum_weight_gain)) * 1e12 + 5e-1) as decimal(38, 0))) as rest_weight_gain,
        sum(cast(floor(scaled.sum_weight_latency_gain) as decimal(38, 0))) as whole_weight_latency_gain,
        sum(cast(floor((scaled.sum_weight_latency_gain - floor(scaled.sum_weight_latency_gain)) * 1e12 + 5e-1) as decimal(38, 0))) as rest_weight_latency_gain,
        sum(cast(floor(scaled.sum_weight_latency) as decimal(38, 0))) as whole_weight_latency,
        sum(cast(floor((scaled.sum_weight_latency - floor(scaled.sum_weight_latency)) * 1e12 + 5e-1) as decimal(38, 0))) as rest_weight_latency
    from scaled as scaled
    group by scaled.run_no, scaled.profile_no, scaled.block_no

),

summed as (

    select
        event.run_no as run_no,
        event.profile_no as profile_no,
        event.block_no as block_no,
        event.mean_word as mean_word,
        case when coalesce(sent.hit, 0) = 1 then cast(sent.sum_weight as double) / 1e15 * event.weight_scale end as sum_weight,
        case when coalesce(sent.hit, 0) = 1 then cast(sent.sum_excess as double) / 1e15 * event.weight_scale end as sum_excess,
        case when coalesce(got.hit, 0) = 1
            then (cast(got.whole_weight_gain as double) / 1e12 + cast(got.rest_weight_gain as double) / 1e24) * event.weight_scale
            else 0e0 end as sum_weight_gain,
        case when coalesce(got.hit, 0) = 1
            then (cast(got.whole_weight_latency_gain as double) / 1e12 + cast(got.rest_weight_latency_gain as double) / 1e24) * event.weight_scale
            else 0e0 end as sum_weight_latency_gain,
        case when coalesce(got.hit, 0) = 1
            then (cast(got.whole_weight_latency as double) / 1e12 + cast(got.rest_weight_latency as double) / 1e24) * event.weight_scale
            else 0e0 end as sum_weight_latency
    from base.summarization_run_event__v1 as event
    left join update_sum as sent
        on sent.run_no = event.run_no
        and sent.profile_no = event.profile_no
        and sent.block_no = event.block_no
    left join taken_sum as got
        on got.run_no = event.run_no
        and got.profile_no = event.profile_no
        and got.block_no = event.block_no

)

select
    summed.run_no as run_no,
    summed.profile_no as profile_no,
    summed.block_no as block_no,
    summed.sum_weight as sum_weight,
    case when summed.mean_word > 0 then summed.sum_weight + summed.sum_excess / summed.mean_word else summed.sum_weight end
        as sum_weight_verbosity,
    summed.sum_weight_gain as sum_weight_gain,
    summed.sum_weight_latency_gain as sum_weight_latency_gain,
    summed.sum_weight_latency as sum_weight_latency
from summed as summed
