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
        run_no, profile_no, block_no,
        1 as hit,
        ideal_gain
    from metric.summarization_event_ideal__v1
),

ratio as (
    select
        run_no, profile_no, block_no, summed.is_present, undefined, n_update,
        n_sampled as n_sampled_update,
        n_match,
        case when coalesce(hit, 0) = 1 then ideal_gain end as ideal_gain,
        case when n_update > 0 then sum_gain / n_update end as eg,
        case when sum_verbosity > 0 then sum_gain / sum_verbosity end as eg_v,
        case when sum_verbosity > 0 then sum_latency_gain / sum_verbosity end as elg,
        case when sum_relevance > 0 then sum_gain / sum_relevance end as comprehensiveness,
        case when sum_relevance > 0 then sum_latency_gain / sum_relevance end as latency_comprehensiveness,
        case
            when latency_over = 'matches' then case when n_match > 0 then sum_latency / n_match end
            when n_update > 0 then sum_latency / n_update
        end as expected_latency,
        case when n_update > 0 then sum_verbosity / n_update end as expected_verbosity,
        case when sum_relevance > 0 then latency_gain_seconds / sum_relevance end as c_integral,
        case when end_time > start_time then end_time - start_time end as n_second
    from metric.summarization_event_sum__v1 as summed
    join registry.profile using (profile_no)
    join base.summarization_run_event__v1 using (run_no, profile_no, block_no)
    left join ideal using (run_no, profile_no, block_no)
),

normalised as (
    select
        run_no, profile_no, block_no, is_present, undefined, n_update, n_sampled_update, n_match, eg, eg_v, elg,
        comprehensiveness, latency_comprehensiveness, expected_latency, expected_verbosity, c_integral,
        eg_v / nullif(ideal_gain, 0e0) as neg,
        elg / nullif(ideal_gain, 0e0) as nelg,
        c_integral / nullif(n_second, 0) as c_integral_norm
    from ratio
),

combined as (
    select
        run_no, profile_no, block_no, is_present, undefined, n_update, n_sampled_update, n_match, eg, eg_v, elg,
        comprehensiveness, latency_comprehensiveness, expected_latency, expected_verbosity, c_integral, neg, nelg,
        c_integral_norm,
        case
            when nelg + latency_comprehensiveness > 0
                then 2e0 * nelg * latency_comprehensiveness / (nelg + latency_comprehensiveness)
            when nelg + latency_comprehensiveness = 0 then 0e0
        end as h,
        case
            when eg_v + comprehensiveness > 0
                then eg_v * comprehensiveness / (eg_v + comprehensiveness)
            when eg_v + comprehensiveness = 0 then 0e0
        end as f
    from normalised
)

select
    run_no, profile_no,
    0 as subset_no,
    block_no, is_present,
    cast(n_update as double) as n_update,
    cast(n_sampled_update as double) as n_sampled_update,
    cast(n_match as double) as n_match,
    case when is_present = 1 and undefined = 'zero' then coalesce(eg, 0e0)
        when is_present = 1 then eg end as eg,
    case when is_present = 1 and undefined = 'zero' then coalesce(eg_v, 0e0)
        when is_present = 1 then eg_v end as eg_v,
    case when is_present = 1 and undefined = 'zero' then coalesce(neg, 0e0)
        when is_present = 1 then neg end as neg,
    case when is_present = 1 and undefined = 'zero' then coalesce(elg, 0e0)
        when is_present = 1 then elg end as elg,
    case when is_present = 1 and undefined = 'zero' then coalesce(nelg, 0e0)
        when is_present = 1 then nelg end as nelg,
    case when is_present = 1 and undefined = 'zero' then coalesce(comprehensiveness, 0e0)
        when is_present = 1 then comprehensiveness end as comprehensiveness,
    case when is_present = 1 and undefined = 'zero' then coalesce(latency_comprehensiveness, 0e0)
        when is_present = 1 then latency_comprehensiveness end as latency_comprehensiveness,
    case when is_present = 1 and undefined = 'zero' then coalesce(h, 0e0)
        when is_present = 1 then h end as h,
    case when is_present = 1 and undefined = 'zero' then coalesce(f, 0e0)
        when is_present = 1 then f end as f,
    case when is_present = 1 and undefined = 'zero' then coalesce(expected_latency, 0e0)
        when is_present = 1 then expected_latency end as expected_latency,
    case when is_present = 1 and undefined = 'zero' then coalesce(expected_verbosity, 0e0)
        when is_present = 1 then expected_verbosity end as expected_verbosity,
    case when is_present = 1 then c_integral end as c_integral,
    case when is_present = 1 then c_integral_norm end as c_integral_norm
from combined
