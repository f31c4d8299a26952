/*
title:    Time-sensitive numbers of an event: what it was worth tau seconds after its start
formula:  S_tau = {u in S : u.t < start + tau};  EG_tau(S) = EG(S_tau),  C_tau(S) = C(S_tau)
source:   TREC 2013 Temporal Summarization Metrics, eq. 1, 14, 17
inputs:   base.condition_tau, base.summarization_run_event__v1, metric.summarization_update_gain__v1, metric.summarization_taken_nugget__v1, metric.summarization_ideal_gain__v1, registry.run, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                         key    run
    profile_no                     key    scoring profile
    subset_no                      key    the subset tau=SECONDS
    block_no                       key    event
    is_present                     flag   1: the run has a row for the event
    eg_tau                         ratio  EG at tau (eq. 14): eq. 12 under the programs' profiles, eq. 10 under the metrics document
    eg_v_tau                       ratio  eg_v at tau
    neg_tau                        ratio  neg at tau
    elg_tau                        ratio  elg at tau
    nelg_tau                       ratio  nelg at tau
    comprehensiveness_tau          ratio  Comprehensiveness at tau (eq. 17), discount-free
    latency_comprehensiveness_tau  ratio  Comprehensiveness at tau (eq. 17), latency-discounted
    h_tau                          ratio  h at tau
    expected_latency_tau           ratio  Mean latency discount at tau
    expected_verbosity_tau         ratio  Mean verbosity at tau
    n_update_tau                   count  Updates of S sent before tau
metrics:
        eg_tau                         n=n_update_tau  best=highest  EG at tau (eq. 14): eq. 12 under the programs' profiles, eq. 10 under the metrics document
        eg_v_tau                       n=n_update_tau  best=highest  eg_v at tau
        neg_tau                        n=n_update_tau  best=highest  neg at tau
        elg_tau                        n=n_update_tau  best=highest  elg at tau
        nelg_tau                       n=n_update_tau  best=highest  nelg at tau
        comprehensiveness_tau          n=n_update_tau  best=highest  Comprehensiveness at tau (eq. 17), discount-free
        latency_comprehensiveness_tau  n=n_update_tau  best=highest  Comprehensiveness at tau (eq. 17), latency-discounted
        h_tau                          n=n_update_tau  best=highest  h at tau
        expected_latency_tau           n=n_update_tau  best=highest  Mean latency discount at tau
        expected_verbosity_tau         n=n_update_tau  best=lowest   Mean verbosity at tau
        n_update_tau                   n=n_update_tau  best=none     Updates of S sent before tau
edges:    The first match does not change when later updates are cut off, so nothing is matched anew. The time is
          strict: an update sent at start + tau is not in S_tau. Before the first update 0/0 is NULL, or 0 where
          the profile says so. Events without a known start are not here.
class:    libm
see also: event__v1, curve__v1
*/
with

moment as (
    select
        run_no, profile_no, subset_no, block_no, condition_no, is_present, n_nugget, sum_relevance, mean_word,
        start_time + tau_seconds as end_before
    from base.summarization_run_event__v1
    join registry.run using (run_no)
    join base.condition_tau using (condition_no)
    where start_time is not null
),

update_sum as (
    select
        run_no, profile_no, subset_no, block_no,
        1 as hit,
        count(*) as n_update,
        sum(n_excess) as sum_excess
    from moment
    join metric.summarization_update_gain__v1 using (run_no, profile_no, block_no)
    where decision_time < end_before
    group by run_no, profile_no, subset_no, block_no
),

taken_sum as (
    select
        run_no, profile_no, subset_no, block_no,
        1 as hit,
        count(*) as n_match,
        sum(cast(floor(relevance * 1e18 + 5e-1) as decimal(38, 0))) as sum_gain,
        sum(cast(floor(latency_gain * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency_gain,
        sum(cast(floor(latency_discount * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency
    from moment
    join metric.summarization_taken_nugget__v1 using (run_no, profile_no, block_no)
    where decision_time < end_before
    group by run_no, profile_no, subset_no, block_no
),

summed as (
    select
        run_no, profile_no, subset_no, block_no, condition_no, is_present, n_nugget, sum_relevance, mean_word,
        case when coalesce(sent.hit, 0) = 1 then n_update else 0 end as n_update,
        case when coalesce(sent.hit, 0) = 1 then sum_excess else 0 end as sum_excess,
        case when coalesce(got.hit, 0) = 1 then n_match else 0 end as n_match,
        case when coalesce(got.hit, 0) = 1 then cast(sum_gain as double) / 1e18 else 0e0 end as sum_gain,
        case when coalesce(got.hit, 0) = 1 then cast(sum_latency_gain as double) / 1e18 else 0e0 end as sum_latency_gain,
        case when coalesce(got.hit, 0) = 1 then cast(sum_latency as double) / 1e18 else 0e0 end as sum_latency
    from moment
    left join update_sum as sent using (run_no, profile_no, subset_no, block_no)
    left join taken_sum as got using (run_no, profile_no, subset_no, block_no)
),

spoken as (
    select
        run_no, profile_no, subset_no, summed.block_no, is_present, undefined, eg_tau_over, summed.n_update,
        sum_relevance, sum_gain, sum_latency_gain, sum_latency,
        case when latency_over = 'matches' then n_match else summed.n_update end as n_latency,
        case
            when mean_word > 0 then summed.n_update + cast(sum_excess as double) / mean_word
            else cast(summed.n_update as double)
        end as sum_verbosity,
        ideal_gain
    from summed
    join registry.profile using (profile_no)
    left join metric.summarization_ideal_gain__v1 as best
        on best.condition_no = summed.condition_no
        and best.profile_no = profile_no
        and best.block_no = summed.block_no
        and best.n_update = case when summed.n_update between 1 and n_nugget then summed.n_update else n_nugget end
),

ratio as (
    select
        run_no, profile_no, subset_no, block_no, is_present, undefined, n_update,
        case
            when eg_tau_over = 'updates' then case when n_update > 0 then sum_gain / n_update end
            when sum_verbosity > 0 then sum_gain / sum_verbosity
        end as eg,
        case when sum_verbosity > 0 then sum_gain / sum_verbosity end as eg_v,
        case when sum_verbosity > 0 then sum_latency_gain / sum_verbosity end as elg,
        case when sum_verbosity > 0 and ideal_gain > 0
            then sum_gain / sum_verbosity / ideal_gain end as neg,
        case when sum_verbosity > 0 and ideal_gain > 0
            then sum_latency_gain / sum_verbosity / ideal_gain end as nelg,
        case when sum_relevance > 0 then sum_gain / sum_relevance end as comprehensiveness,
        case when sum_relevance > 0 then sum_latency_gain / sum_relevance end as latency_comprehensiveness,
        case when n_latency > 0 then sum_latency / n_latency end as expected_latency,
        case when n_update > 0 then sum_verbosity / n_update end as expected_verbosity
    from spoken
),

combined as (
    select
        run_no, profile_no, subset_no, block_no, is_present, undefined, n_update, eg, eg_v, neg, elg, nelg,
        comprehensiveness, latency_comprehensiveness,
        case
            when nelg + latency_comprehensiveness > 0
                then 2e0 * nelg * latency_comprehensiveness / (nelg + latency_comprehensiveness)
            when nelg + latency_comprehensiveness = 0 then 0e0
        end as h,
        expected_latency, expected_verbosity
    from ratio
)

select
    run_no, profile_no, subset_no, block_no, is_present,
    case when is_present = 1 and undefined = 'zero' then coalesce(eg, 0e0)
        when is_present = 1 then eg end as eg_tau,
    case when is_present = 1 and undefined = 'zero' then coalesce(eg_v, 0e0)
        when is_present = 1 then eg_v end as eg_v_tau,
    case when is_present = 1 and undefined = 'zero' then coalesce(neg, 0e0)
        when is_present = 1 then neg end as neg_tau,
    case when is_present = 1 and undefined = 'zero' then coalesce(elg, 0e0)
        when is_present = 1 then elg end as elg_tau,
    case when is_present = 1 and undefined = 'zero' then coalesce(nelg, 0e0)
        when is_present = 1 then nelg end as nelg_tau,
    case when is_present = 1 and undefined = 'zero' then coalesce(comprehensiveness, 0e0)
        when is_present = 1 then comprehensiveness end as comprehensiveness_tau,
    case when is_present = 1 and undefined = 'zero' then coalesce(latency_comprehensiveness, 0e0)
        when is_present = 1 then latency_comprehensiveness end as latency_comprehensiveness_tau,
    case when is_present = 1 and undefined = 'zero' then coalesce(h, 0e0)
        when is_present = 1 then h end as h_tau,
    case when is_present = 1 and undefined = 'zero' then coalesce(expected_latency, 0e0)
        when is_present = 1 then expected_latency end as expected_latency_tau,
    case when is_present = 1 and undefined = 'zero' then coalesce(expected_verbosity, 0e0)
        when is_present = 1 then expected_verbosity end as expected_verbosity_tau,
    cast(n_update as double) as n_update_tau
from combined
