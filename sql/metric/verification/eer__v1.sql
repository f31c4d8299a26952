/*
title:    Equal error rate of a run under seven definitions
formula:  Six rules about the crossing of p_miss = p_fa (eer_rule__v1), and convex_hull: that of the convex hull.
          chosen is the one that the profile names.
source:   as eer_rule__v1; N. Bruemmer, The BOSARIS Toolkit User Guide (2011), rocch2eer (convex_hull)
inputs:   metric.verification_eer_rule__v1, metric.verification_topic_crossing__v1,
          metric.verification_hull_crossing__v1, metric.detection_det_population__v1, registry.profile
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no            key           run
    profile_no        key           scoring profile
    subset_no         key           subset; 0 is all
    weighting         key           story or topic
    chosen            ratio [0, 1]  the one that the profile names
    nearest_point     ratio [0, 1]  textbooks
    nearest_corner    ratio [0, 1]  NIST MediScore
    nearest_trial     ratio [0, 1]  ASVspoof
    nearest_max       ratio [0, 1]  voxceleb_trainer
    target_step       ratio [0, 1]  Kaldi
    interpolated      ratio [0, 1]  VoxSRC
    convex_hull       ratio [0, 1]  BOSARIS
    score             score         of the group where the curve crosses p_miss = p_fa; NULL for topic
    n_target_here     count         targets of that score
    n_nontarget_here  count         non-targets of that score
edges:    For topic only interpolated and convex_hull: the others are rules about single trials.
          Where one topic has all trials its curve is that of story, and so are all seven.
          A subset without targets or without non-targets has no row.
class:    exact
see also: eer_rule__v1, hull_crossing__v1, error_rate__v1
*/
-- the six rules where the curve is that of story
with ruled as (
    select
        population.*, weighting, weighting = 'story' or is_one_topic = 1 as is_story,
        case when is_story then score end as crossing_score,
        case when is_story then n_target_here end as n_target_there,
        case when is_story then n_nontarget_here end as n_nontarget_there,
        case when is_story then nearest_point end as point_eer,
        case when is_story then nearest_corner end as corner_eer, case when is_story then nearest_max end as max_eer,
        case when is_story then nearest_trial end as trial_eer, case when is_story then target_step end as step_eer,
        case when is_story then rule.interpolated else crossing.interpolated end as line_eer,
        case when is_story then 'story' else 'topic' end as hull_weighting
    from metric.detection_det_population__v1 as population
    cross join (select 'story' as weighting union all select 'topic' as weighting) as weighting
    left join metric.verification_eer_rule__v1 as rule using (run_no, profile_no, subset_no)
    left join metric.verification_topic_crossing__v1 as crossing using (run_no, profile_no, subset_no)
    where
        case
            when weighting = 'story' and n_target > 0 and n_nontarget > 0 then 1
            when weighting = 'topic' and n_block_miss > 0 and n_block_fa > 0 then 1
        end = 1
)

select
    ruled.run_no, ruled.profile_no, ruled.subset_no, ruled.weighting,
    case eer
        when 'nearest_point' then point_eer when 'nearest_corner' then corner_eer when 'nearest_trial' then trial_eer
        when 'nearest_max' then max_eer when 'target_step' then step_eer when 'interpolated' then line_eer
        when 'convex_hull' then hull.convex_hull
    end as chosen,
    point_eer as nearest_point, corner_eer as nearest_corner, trial_eer as nearest_trial, max_eer as nearest_max,
    step_eer as target_step, line_eer as interpolated, hull.convex_hull, crossing_score as score,
    n_target_there as n_target_here, n_nontarget_there as n_nontarget_here
from ruled join registry.profile using (profile_no)
left join metric.verification_hull_crossing__v1 as hull
    on hull.run_no = ruled.run_no and hull.profile_no = ruled.profile_no and hull.subset_no = ruled.subset_no
    and hull.weighting = hull_weighting
