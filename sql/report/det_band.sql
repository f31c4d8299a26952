/*
title:    Confidence bands of topic-weighted DET curves
formula:  p +- z * standard error over topics, cut to [0, 1]; z is band_z of the profile
source:   The 2004 TDT evaluation plan, section 5.1 (confidence region); TDT3eval v2.6 (z = 1.28)
inputs:   report.det_point, registry.profile
grain:    run_id, condition_id, profile_id, subset, weighting, point_no
columns:
    run_id        key           run
    condition_id  key           evaluation condition
    profile_id    key           scoring profile
    subset        key           all, or what the curve is conditioned on
    weighting     key           topic
    point_no      key           order along the curve
    threshold     score         lowest accepted score; NULL for reject-all
    p_miss        ratio [0, 1]  mean miss probability
    p_miss_low    ratio [0, 1]  lower edge; NULL below 2 topics
    p_miss_high   ratio [0, 1]  upper edge; NULL below 2 topics
    p_fa          ratio [0, 1]  mean false-alarm probability
    p_fa_low      ratio [0, 1]  lower edge; NULL below 2 topics
    p_fa_high     ratio [0, 1]  upper edge; NULL below 2 topics
    band_z        double        half width in standard errors
edges:    Topic-weighted curves only: the standard error is over topics.
class:    exact
see also: det_point
*/
with

edge as (

    select
        point.run_id as run_id,
        point.condition_id as condition_id,
        point.profile_id as profile_id,
        point.subset as subset,
        point.weighting as weighting,
        point.point_no as point_no,
        point.threshold as threshold,
        point.p_miss as p_miss,
        point.p_fa as p_fa,
        point.p_miss - profile.band_z * point.p_miss_se as p_miss_low,
        point.p_miss + profile.band_z * point.p_miss_se as p_miss_high,
        point.p_fa - profile.band_z * point.p_fa_se as p_fa_low,
        point.p_fa + profile.band_z * point.p_fa_se as p_fa_high,
        profile.band_z as band_z
    from report.det_point as point
    inner join registry.profile as profile
        on profile.profile_id = point.profile_id
    where point.weighting = 'topic'

)

select
    edge.run_id as run_id,
    edge.condition_id as condition_id,
    edge.profile_id as profile_id,
    edge.subset as subset,
    edge.weighting as weighting,
    edge.point_no as point_no,
    edge.threshold as threshold,
    edge.p_miss as p_miss,
    case when edge.p_miss_low < 0 then cast(0 as double) else edge.p_miss_low end as p_miss_low,
    case when edge.p_miss_high > 1 then cast(1 as double) else edge.p_miss_high end as p_miss_high,
    edge.p_fa as p_fa,
    case when edge.p_fa_low < 0 then cast(0 as double) else edge.p_fa_low end as p_fa_low,
    case when edge.p_fa_high > 1 then cast(1 as double) else edge.p_fa_high end as p_fa_high,
    edge.band_z as band_z
from edge as edge
