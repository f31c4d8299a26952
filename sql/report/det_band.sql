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
select
    run_id, condition_id, profile_id, subset, weighting, point_no, threshold, p_miss,
    case when p_miss < band_z * p_miss_se then 0e0 else p_miss - band_z * p_miss_se end as p_miss_low,
    case when p_miss + band_z * p_miss_se > 1 then 1e0 else p_miss + band_z * p_miss_se end as p_miss_high,
    p_fa, case when p_fa < band_z * p_fa_se then 0e0 else p_fa - band_z * p_fa_se end as p_fa_low,
    case when p_fa + band_z * p_fa_se > 1 then 1e0 else p_fa + band_z * p_fa_se end as p_fa_high,
    band_z
from report.det_point join registry.profile using (profile_id)
where weighting = 'topic'
