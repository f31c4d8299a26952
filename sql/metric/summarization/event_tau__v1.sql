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
        event.run_no as run_no,
        event.profile_no as profile_no,
        tau.subset_no as subset_no,
        event.block_no as block_no,
        run.condition_no as condition_no,
        event.is_present as is_present,
        event.n_nugget as n_nugget,
        event.sum_relevance as sum_relevance,
        event.mean_word as mean_word,
        event.start_time + tau.tau_seconds as end_before
    from base.summarization_run_event__v1 as event
    inner join registry.run as run on run.run_no = event.run_no
    inner join base.condition_tau as tau on tau.condition_no = run.condition_no
    where event.start_time is not null

),

update_sum as (

    select
        moment.run_no as run_no,
        moment.profile_no as profile_no,
        moment.subset_no as subset_no,
        moment.block_no as block_no,
        1 as hit,
        count(*) as n_update,
        sum(gained.n_excess) as sum_excess
    from moment as moment
    inner join metric.summarization_update_gain__v1 as gained
        on gained.run_no = moment.run_no
        and gained.profile_no = moment.profile_no
        and gained.block_no = moment.block_no
    where gained.decision_time < moment.end_before
    group by moment.run_no, moment.profile_no, moment.subset_no, moment.block_no

),

taken_sum as (

    select
        moment.run_no as run_no,
        moment.profile_no as profile_no,
        moment.subset_no as subset_no,
        moment.block_no as block_no,
        1 as hit,
        count(*) as n_match,
        sum(cast(floor(taken.relevance * 1e18 + 5e-1) as decimal(38, 0))) as sum_gain,
        sum(cast(floor(taken.latency_gain * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency_gain,
        sum(cast(floor(taken.latency_discount * 1e18 + 5e-1) as decimal(38, 0))) as sum_latency
    from moment as moment
    inner join metric.summarization_taken_nugget__v1 as taken
        on taken.run_no = moment.run_no
        and taken.profile_no = moment.profile_no
        and taken.block_no = moment.block_no
    where taken.decision_time < moment.end_before
    group by moment.run_no, moment.profile_no, moment.subset_no, moment.block_no

),

summed as (

    select
        moment.run_no as run_no,
        moment.profile_no as profile_no,
        moment.subset_no as subset_no,
        moment.block_no as block_no,
        moment.condition_no as condition_no,
        moment.is_present as is_present,
        moment.n_nugget as n_nugget,
        moment.sum_relevance as sum_relevance,
        moment.mean_word as mean_word,
        case when coalesce(sent.hit, 0) = 1 then sent.n_update else 0 end as n_update,
        case when coalesce(sent.hit, 0) = 1 then sent.sum_excess else 0 end as sum_excess,
        case when coalesce(got.hit, 0) = 1 then got.n_match else 0 end as n_match,
        case when coalesce(got.hit, 0) = 1 then cast(got.sum_gain as double) / 1e18 else 0e0 end as sum_gain,
        case when coalesce(got.hit, 0) = 1 then cast(got.sum_latency_gain as double) / 1e18 else 0e0 end as sum_latency_gain,
        case when coalesce(got.hit, 0) = 1 then cast(got.sum_latency as double) / 1e18 else 0e0 end as sum_latency
    from moment as moment
    left join update_sum as sent
        on sent.run_no = moment.run_no
        and sent.profile_no = moment.profile_no
        and sent.subset_no = moment.subset_no
        and sent.block_no = moment.block_no
    left join taken_sum as got
        on got.run_no = moment.run_no
        and got.profile_no = moment.profile_no
        and got.subset_no = moment.subset_no
        and got.block_no = moment.block_no

),

spoken as (

    select
        summed.run_no as run_no,
        summed.profile_no as profile_no,
        summed.subset_no as subset_no,
        summed.block_no as block_no,
        summed.is_present as is_present,
        profile.undefined as undefined,
        profile.eg_tau_over as eg_tau_over,
        summed.n_update as n_update,
        summed.sum_relevance as sum_relevance,
        summed.sum_gain as sum_gain,
        summed.sum_latency_gain as sum_latency_gain,
        summed.sum_latency as sum_latency,
        case when profile.latency_over = 'matches' then summed.n_match else summed.n_update end as n_latency,
        case
            when summed.mean_word > 0 then summed.n_update + cast(summed.sum_excess as double) / summed.mean_word
            else cast(summed.n_update as double)
        end as sum_verbosity,
        best.ideal_gain as ideal_gain
    from summed as summed
    inner join registry.profile as profile on profile.profile_no = summed.profile_no
    left join metric.summarization_ideal_gain__v1 as best
        on best.condition_no = summed.condition_no
        and best.profile_no = summed.profile_no
        and best.block_no = summed.block_no
        and best.n_update = case when summed.n_update between 1 and summed.n_nugget then summed.n_update else summed.n_nugget end

),

ratio as (

    select
        spoken.run_no as run_no,
        spoken.profile_no as profile_no,
        spoken.subset_no as subset_no,
        spoken.block_no as block_no,
        spoken.is_present as is_present,
        spoken.undefined as undefined,
        spoken.n_update as n_update,
        case
            when spoken.eg_tau_over = 'updates' then case when spoken.n_update > 0 then spoken.sum_gain / spoken.n_update end
            when spoken.sum_verbosity > 0 then spoken.sum_gain / spoken.sum_verbosity
        end as eg,
        case when spoken.sum_verbosity > 0 then spoken.sum_gain / spoken.sum_verbosity end as eg_v,
        case when spoken.sum_verbosity > 0 then spoken.sum_latency_gain / spoken.sum_verbosity end as elg,
        case when spoken.sum_verbosity > 0 and spoken.ideal_gain > 0
            then spoken.sum_gain / spoken.sum_verbosity / spoken.ideal_gain end as neg,
        case when spoken.sum_verbosity > 0 and spoken.ideal_gain > 0
            then spoken.sum_latency_gain / spoken.sum_verbosity / spoken.ideal_gain end as nelg,
        case when spoken.sum_relevance > 0 then spoken.sum_gain / spoken.sum_relevance end as comprehensiveness,
        case when spoken.sum_relevance > 0 then spoken.sum_latency_gain / spoken.sum_relevance end as latency_comprehensiveness,
        case when spoken.n_latency > 0 then spoken.sum_latency / spoken.n_latency end as expected_latency,
        case when spoken.n_update > 0 then spoken.sum_verbosity / spoken.n_update end as expected_verbosity
    from spoken as spoken

),

combined as (

    select
        ratio.run_no as run_no,
        ratio.profile_no as profile_no,
        ratio.subset_no as subset_no,
        ratio.block_no as block_no,
        ratio.is_present as is_present,
        ratio.undefined as undefined,
        ratio.n_update as n_update,
        ratio.eg as eg,
        ratio.eg_v as eg_v,
        ratio.neg as neg,
        ratio.elg as elg,
        ratio.nelg as nelg,
        ratio.comprehensiveness as comprehensiveness,
        ratio.latency_comprehensiveness as latency_comprehensiveness,
        case
            when ratio.nelg + ratio.latency_comprehensiveness > 0
                then 2e0 * ratio.nelg * ratio.latency_comprehensiveness / (ratio.nelg + ratio.latency_comprehensiveness)
            when ratio.nelg + ratio.latency_comprehensiveness = 0 then 0e0
        end as h,
        ratio.expected_latency as expected_latency,
        ratio.expected_verbosity as expected_verbosity
    from ratio as ratio

)

select
    combined.run_no as run_no,
    combined.profile_no as profile_no,
    combined.subset_no as subset_no,
    combined.block_no as block_no,
    combined.is_present as is_present,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.eg, 0e0)
        when combined.is_present = 1 then combined.eg end as eg_tau,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.eg_v, 0e0)
        when combined.is_present = 1 then combined.eg_v end as eg_v_tau,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.neg, 0e0)
        when combined.is_present = 1 then combined.neg end as neg_tau,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.elg, 0e0)
        when combined.is_present = 1 then combined.elg end as elg_tau,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.nelg, 0e0)
        when combined.is_present = 1 then combined.nelg end as nelg_tau,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.comprehensiveness, 0e0)
        when combined.is_present = 1 then combined.comprehensiveness end as comprehensiveness_tau,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.latency_comprehensiveness, 0e0)
        when combined.is_present = 1 then combined.latency_comprehensiveness end as latency_comprehensiveness_tau,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.h, 0e0)
        when combined.is_present = 1 then combined.h end as h_tau,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.expected_latency, 0e0)
        when combined.is_present = 1 then combined.expected_latency end as expected_latency_tau,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.expected_verbosity, 0e0)
        when combined.is_present = 1 then combined.expected_verbosity end as expected_verbosity_tau,
    cast(combined.n_update as double) as n_update_tau
from combined as combined
