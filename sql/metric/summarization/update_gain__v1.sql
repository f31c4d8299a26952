/*
title:    Gain and verbosity of every update
formula:  G(u, S) = sum of g(u, n) over the nuggets n that u took;
          V(u) = 1 + max(0, |u| - |words of u that say them|) / mean nugget length
source:   TREC 2013 Temporal Summarization Metrics, eq. 3 to 9, 24, 25
inputs:   base.summarization_update__v1, base.summarization_run_event__v1, metric.summarization_taken_nugget__v1, metric.summarization_matched_word__v1
grain:    run_no, profile_no, block_no, update_seq
columns:
    run_no         key           run
    profile_no     key           scoring profile
    block_no       key           event
    update_seq     key           line in the run's files
    update_no      number        the update, where the judgments know it; 0 otherwise
    decision_time  seconds       when it was sent
    is_sampled     flag          1: the pool has it
    n_word         words         its length; NULL when unknown
    n_matched      words         words that say the nuggets it took
    n_excess       words         words beyond those, at least 0; 0 when the length is unknown
    verbosity      ratio [1, ]   V(u)
    n_match        count         nuggets it took
    gain           ratio         discount-free gain
    latency_gain   ratio         latency-discounted gain
    latency        ratio         sum of the latency discounts
    weight         ratio         confidence as the profile takes it; NULL where it takes none
edges:    Only updates of S. V(u) is 1 when the update's length is unknown or the event has no nugget to measure by.
class:    libm
see also: taken_nugget__v1, matched_word__v1, event_sum__v1
*/
with

-- fixed point, exact at any order
taken_total as (

    select
        taken.run_no as run_no,
        taken.profile_no as profile_no,
        taken.block_no as block_no,
        taken.update_seq as update_seq,
        1 as hit,
        count(*) as n_match,
        sum(cast(floor(taken.relevance * 1e18 + 5e-1) as decimal(38, 0))) as gain,
        sum(cast(floor(taken.latency_gain * 1e18 + 5e-1) as decimal(38, 0))) as latency_gain,
        sum(cast(floor(taken.latency_discount * 1e18 + 5e-1) as decimal(38, 0))) as latency
    from metric.summarization_taken_nugget__v1 as taken
    group by taken.run_no, taken.profile_no, taken.block_no, taken.update_seq

),

matched as (

    select
        word.run_no as run_no,
        word.profile_no as profile_no,
        word.block_no as block_no,
        word.update_seq as update_seq,
        1 as hit,
        word.n_matched as n_matched
    from metric.summarization_matched_word__v1 as word

),

joined as (

    select
        sent.run_no as run_no,
        sent.profile_no as profile_no,
        sent.block_no as block_no,
        sent.update_seq as update_seq,
        sent.update_no as update_no,
        sent.decision_time as decision_time,
        sent.is_sampled as is_sampled,
        sent.n_word as n_word,
        sent.weight as weight,
        event.mean_word as mean_word,
        case when coalesce(word.hit, 0) = 1 then word.n_matched else 0 end as n_matched,
        case when coalesce(total.hit, 0) = 1 then total.n_match else 0 end as n_match,
        case when coalesce(total.hit, 0) = 1 then cast(total.gain as double) / 1e18 else 0e0 end as gain,
        case when coalesce(total.hit, 0) = 1 then cast(total.latency_gain as double) / 1e18 else 0e0 end as latency_gain,
        case when coalesce(total.hit, 0) = 1 then cast(total.latency as double) / 1e18 else 0e0 end as latency
    from base.summarization_update__v1 as sent
    inner join base.summarization_run_event__v1 as event
        on event.run_no = sent.run_no
        and event.profile_no = sent.profile_no
        and event.block_no = sent.block_no
    left join taken_total as total
        on total.run_no = sent.run_no
        and total.profile_no = sent.profile_no
        and total.block_no = sent.block_no
        and total.update_seq = sent.update_seq
    left join matched as word
        on word.run_no = sent.run_no
        and word.profile_no = sent.profile_no
        and word.block_no = sent.block_no
        and word.update_seq = sent.update_seq
    where sent.is_scored = 1

),

excess as (

    select
        joined.run_no as run_no,
        joined.profile_no as profile_no,
        joined.block_no as block_no,
        joined.update_seq as update_seq,
        joined.update_no as update_no,
        joined.decision_time as decision_time,
        joined.is_sampled as is_sampled,
        joined.n_word as n_word,
        joined.n_matched as n_matched,
        case when joined.n_word > joined.n_matched then joined.n_word - joined.n_matched else 0 end as n_excess,
        joined.mean_word as mean_word,
        joined.n_match as n_match,
        joined.gain as gain,
        joined.latency_gain as latency_gain,
        joined.latency as latency,
        joined.weight as weight
    from joined as joined

)

select
    excess.run_no as run_no,
    excess.profile_no as profile_no,
    excess.block_no as block_no,
    excess.update_seq as update_seq,
    excess.update_no as update_no,
    excess.decision_time as decision_time,
    excess.is_sampled as is_sampled,
    excess.n_word as n_word,
    cast(excess.n_matched as bigint) as n_matched,
    cast(excess.n_excess as bigint) as n_excess,
    case when excess.mean_word > 0 then 1e0 + cast(excess.n_excess as double) / excess.mean_word else 1e0 end as verbosity,
    cast(excess.n_match as bigint) as n_match,
    excess.gain as gain,
    excess.latency_gain as latency_gain,
    excess.latency as latency,
    excess.weight as weight
from excess as excess
