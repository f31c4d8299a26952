/*
title:    Gain and verbosity of every update
formula:  G(u, S) = sum of g(u, n) over the nuggets n that u took;
          V(u) = 1 + max(0, |u| - |words of u that say them|) / mean nugget length
source:   TREC 2013 Temporal Summarization Metrics, eq. 3 to 9, 24, 25
inputs:   base.summarization_update__v1, base.summarization_run_event__v1, metric.summarization_taken_nugget__v1,
          metric.summarization_matched_word__v1
grain:    run_no, profile_no, block_no, update_seq
columns:
    run_no         key           run
    profile_no     key           scoring profile
    block_no       key           event
    update_seq     key           row in the run's files
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
with taken as (
    select
        run_no, profile_no, block_no, update_seq, 1 as has_taken, count(*) as n_taken,
        exact_sum(relevance, 1e18) as sum_gain, exact_sum(latency_gain, 1e18) as sum_latency_gain,
        exact_sum(latency_discount, 1e18) as sum_latency
    from metric.summarization_taken_nugget__v1 group by all
)

-- the sums of nuggets with unknown times are NULL, those of no nuggets 0
select
    run_no, profile_no, block_no, update_seq, update_no, decision_time, is_sampled, n_word,
    coalesce(matched.n_matched, 0) as n_matched,
    case when n_word > coalesce(matched.n_matched, 0) then n_word - coalesce(matched.n_matched, 0) else 0 end
        as n_excess,
    verbosity(1, n_excess, mean_word) as verbosity, coalesce(n_taken, 0) as n_match,
    case when has_taken = 1 then sum_gain else 0e0 end as gain,
    case when has_taken = 1 then sum_latency_gain else 0e0 end as latency_gain,
    case when has_taken = 1 then sum_latency else 0e0 end as latency, weight
from base.summarization_update__v1 join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
left join taken using (run_no, profile_no, block_no, update_seq)
left join metric.summarization_matched_word__v1 as matched using (run_no, profile_no, block_no, update_seq)
where is_scored = 1
