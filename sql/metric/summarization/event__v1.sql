/*
title:    Every number of an event
formula:  with the sums over S and over the taken nuggets (event_sum__v1), W = sum of R(n) over the event's nuggets:
              eg   = sum G / |S|          eg_v = sum G / sum V         elg = sum LG / sum V
              comprehensiveness = sum G / W,  latency_comprehensiveness = sum LG / W
              neg  = eg_v / Z,  nelg = elg / Z,  Z the ideal (event_ideal__v1)
              h    = 2 * nelg * lc / (nelg + lc),  lc = latency_comprehensiveness;  0 when both are 0
              f    = eg_v * c / (eg_v + c),  c = comprehensiveness;  0 when both are 0
              expected_verbosity = sum V / |S|;  expected_latency = sum L / taken nuggets, or / |S| (latency_over)
              c_integral = sum over taken nuggets of R * L * (te - max(taken, ts)) / W, those taken before te
source:   TREC 2013 Temporal Summarization Metrics, eq. 10, 12, 15, 18;
          the track's programs of 2013 to 2015 (normalised forms, H); overview of 2014 (F)
inputs:   metric.summarization_event_sum__v1, metric.summarization_event_ideal__v1, base.summarization_run_event__v1, registry.profile
grain:    run_no, profile_no, subset_no, block_no
columns:
    run_no                     key      run
    profile_no                 key      scoring profile
    subset_no                  key      0: all
    block_no                   key      event
    is_present                 flag     1: the run has a row for the event
    n_update                   count    Updates of S
    n_sampled_update           count    Updates of S that are in the pool
    n_match                    count    Nuggets taken
    eg                         ratio    Expected gain over the number of updates (eq. 10)
    eg_v                       ratio    Expected gain over verbosity (eq. 12)
    neg                        ratio    eg_v over the ideal
    elg                        ratio    Expected latency-discounted gain over verbosity (eq. 12)
    nelg                       ratio    elg over the ideal
    comprehensiveness          ratio    Comprehensiveness, discount-free (eq. 15)
    latency_comprehensiveness  ratio    Comprehensiveness, latency-discounted (eq. 15)
    h                          ratio    Harmonic mean of nelg and latency_comprehensiveness
    f                          ratio    eg_v * comprehensiveness / (eg_v + comprehensiveness)
    expected_latency           ratio    Mean latency discount
    expected_verbosity         ratio    Mean verbosity of an update
    c_integral                 seconds  Integral of the latency-discounted comprehensiveness over the event (eq. 18)
    c_integral_norm            ratio    c_integral over the length of the event
metrics:
        n_update                   n=n_update  best=none     Updates of S
        n_sampled_update           n=n_update  best=none     Updates of S that are in the pool
        n_match                    n=n_update  best=highest  Nuggets taken
        eg                         n=n_update  best=highest  Expected gain over the number of updates (eq. 10)
        eg_v                       n=n_update  best=highest  Expected gain over verbosity (eq. 12)
        neg                        n=n_update  best=highest  eg_v over the ideal
        elg                        n=n_update  best=highest  Expected latency-discounted gain over verbosity (eq. 12)
        nelg                       n=n_update  best=highest  elg over the ideal
        comprehensiveness          n=n_update  best=highest  Comprehensiveness, discount-free (eq. 15)
        latency_comprehensiveness  n=n_update  best=highest  Comprehensiveness, latency-discounted (eq. 15)
        h                          n=n_update  best=highest  Harmonic mean of nelg and latency_comprehensiveness
        f                          n=n_update  best=highest  eg_v * comprehensiveness / (eg_v + comprehensiveness)
        expected_latency           n=n_update  best=highest  Mean latency discount
        expected_verbosity         n=n_update  best=lowest   Mean verbosity of an update
        c_integral                 n=n_update  best=highest  Integral of the latency-discounted comprehensiveness over the event (eq. 18)
        c_integral_norm            n=n_update  best=highest  c_integral over the length of the event
edges:    An event the run has no row for has counts of 0 and NULL elsewhere. 0/0 is NULL, or 0 where the profile
          says so (undefined zero: the programs). Without start and end of the event there is no integral.
class:    libm
see also: score__v1, update_gain__v1, event_confidence__v1
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

ratio as (

    select
        summed.run_no as run_no,
        summed.profile_no as profile_no,
        summed.block_no as block_no,
        summed.is_present as is_present,
        profile.undefined as undefined,
        summed.n_update as n_update,
        summed.n_sampled as n_sampled_update,
        summed.n_match as n_match,
        case when coalesce(ideal.hit, 0) = 1 then ideal.ideal_gain end as ideal_gain,
        case when summed.n_update > 0 then summed.sum_gain / summed.n_update end as eg,
        case when summed.sum_verbosity > 0 then summed.sum_gain / summed.sum_verbosity end as eg_v,
        case when summed.sum_verbosity > 0 then summed.sum_latency_gain / summed.sum_verbosity end as elg,
        case when event.sum_relevance > 0 then summed.sum_gain / event.sum_relevance end as comprehensiveness,
        case when event.sum_relevance > 0 then summed.sum_latency_gain / event.sum_relevance end as latency_comprehensiveness,
        case
            when profile.latency_over = 'matches' then case when summed.n_match > 0 then summed.sum_latency / summed.n_match end
            when summed.n_update > 0 then summed.sum_latency / summed.n_update
        end as expected_latency,
        case when summed.n_update > 0 then summed.sum_verbosity / summed.n_update end as expected_verbosity,
        case when event.sum_relevance > 0 then summed.latency_gain_seconds / event.sum_relevance end as c_integral,
        case when event.end_time > event.start_time then event.end_time - event.start_time end as n_second
    from metric.summarization_event_sum__v1 as summed
    inner join registry.profile as profile on profile.profile_no = summed.profile_no
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
        ratio.n_update as n_update,
        ratio.n_sampled_update as n_sampled_update,
        ratio.n_match as n_match,
        ratio.eg as eg,
        ratio.eg_v as eg_v,
        ratio.elg as elg,
        ratio.comprehensiveness as comprehensiveness,
        ratio.latency_comprehensiveness as latency_comprehensiveness,
        ratio.expected_latency as expected_latency,
        ratio.expected_verbosity as expected_verbosity,
        ratio.c_integral as c_integral,
        ratio.eg_v / nullif(ratio.ideal_gain, 0e0) as neg,
        ratio.elg / nullif(ratio.ideal_gain, 0e0) as nelg,
        ratio.c_integral / nullif(ratio.n_second, 0) as c_integral_norm
    from ratio as ratio

),

combined as (

    select
        normalised.run_no as run_no,
        normalised.profile_no as profile_no,
        normalised.block_no as block_no,
        normalised.is_present as is_present,
        normalised.undefined as undefined,
        normalised.n_update as n_update,
        normalised.n_sampled_update as n_sampled_update,
        normalised.n_match as n_match,
        normalised.eg as eg,
        normalised.eg_v as eg_v,
        normalised.elg as elg,
        normalised.comprehensiveness as comprehensiveness,
        normalised.latency_comprehensiveness as latency_comprehensiveness,
        normalised.expected_latency as expected_latency,
        normalised.expected_verbosity as expected_verbosity,
        normalised.c_integral as c_integral,
        normalised.neg as neg,
        normalised.nelg as nelg,
        normalised.c_integral_norm as c_integral_norm,
        case
            when normalised.nelg + normalised.latency_comprehensiveness > 0
                then 2e0 * normalised.nelg * normalised.latency_comprehensiveness / (normalised.nelg + normalised.latency_comprehensiveness)
            when normalised.nelg + normalised.latency_comprehensiveness = 0 then 0e0
        end as h,
        case
            when normalised.eg_v + normalised.comprehensiveness > 0
                then normalised.eg_v * normalised.comprehensiveness / (normalised.eg_v + normalised.comprehensiveness)
            when normalised.eg_v + normalised.comprehensiveness = 0 then 0e0
        end as f
    from normalised as normalised

)

select
    combined.run_no as run_no,
    combined.profile_no as profile_no,
    0 as subset_no,
    combined.block_no as block_no,
    combined.is_present as is_present,
    cast(combined.n_update as double) as n_update,
    cast(combined.n_sampled_update as double) as n_sampled_update,
    cast(combined.n_match as double) as n_match,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.eg, 0e0)
        when combined.is_present = 1 then combined.eg end as eg,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.eg_v, 0e0)
        when combined.is_present = 1 then combined.eg_v end as eg_v,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.neg, 0e0)
        when combined.is_present = 1 then combined.neg end as neg,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.elg, 0e0)
        when combined.is_present = 1 then combined.elg end as elg,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.nelg, 0e0)
        when combined.is_present = 1 then combined.nelg end as nelg,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.comprehensiveness, 0e0)
        when combined.is_present = 1 then combined.comprehensiveness end as comprehensiveness,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.latency_comprehensiveness, 0e0)
        when combined.is_present = 1 then combined.latency_comprehensiveness end as latency_comprehensiveness,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.h, 0e0)
        when combined.is_present = 1 then combined.h end as h,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.f, 0e0)
        when combined.is_present = 1 then combined.f end as f,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.expected_latency, 0e0)
        when combined.is_present = 1 then combined.expected_latency end as expected_latency,
    case when combined.is_present = 1 and combined.undefined = 'zero' then coalesce(combined.expected_verbosity, 0e0)
        when combined.is_present = 1 then combined.expected_verbosity end as expected_verbosity,
    case when combined.is_present = 1 then combined.c_integral end as c_integral,
    case when combined.is_present = 1 then combined.c_integral_norm end as c_integral_norm
from combined as combined
