/*
title:    Error rates of scores: equal error rate, area under the curve, parts of it
formula:  auc            probability that a target scores higher than a non-target, ties one half
          partial_auc    the area from p_fa = 0 to the last corner point with p_fa <= p_fa_stop, not divided
          p_hit_at_p_fa  hit rate where p_fa = p_fa_stop, on the line between the points
          topic: of the curve of means over topics
source:   J. Hanley, B. McNeil, The meaning and use of the area under a ROC curve (1982);
          NIST MediScore (AUC@FAR, CDR@FAR)
inputs:   metric.verification_eer__v1, metric.verification_crossing__v1, metric.verification_topic_crossing__v1,
          metric.verification_hull_crossing__v1, metric.detection_det_population__v1, base.detection_subset__v1,
          base.curve_request, registry.profile
grain:    run_no, profile_no, subset_no, weighting
columns:
    run_no         key           run
    profile_no     key           scoring profile
    subset_no      key           subset; 0 is all
    weighting      key           story or topic
    eer            ratio [0, 1]  equal error rate, as the profile defines it
    auc            ratio [0, 1]  1/2 is chance
    partial_auc    ratio [0, 1]  at most p_fa_stop
    p_hit_at_p_fa  ratio [0, 1]  accepted targets at that false-alarm probability
    n_hull_vertex  count         vertices of the convex hull, both ends too
    n_counted      count         trials, or, for topic, topics with targets; 0 without a curve
    n_eer          count         the same; 0 where eer is undefined
    n_part         count         the same; 0 where partial_auc is undefined
    null_reason    text          no targets, no non-targets, single trials (topic: a rule that has no means)
metrics:
    eer            n=n_eer      best=lowest   Equal error rate
    auc            n=n_counted  best=highest  Area under the curve of hits over false alarms
    partial_auc    n=n_part     best=highest  Area up to a false-alarm probability
    p_hit_at_p_fa  n=n_part     best=highest  Hit probability at a false-alarm probability
    n_hull_vertex  n=n_counted  best=none     Vertices of the convex hull
edges:    Without targets or non-targets NULL, never 0. partial_auc and p_hit_at_p_fa are of story alone, and of
          topic where one topic has all trials; NULL where the profile has no p_fa_stop.
          partial_auc can be 0 for a good system with few non-targets: no corner is before the stop.
class:    exact
see also: eer__v1, calibration__v1, metric.detection_det_minimum__v1
*/
with valued as (
    select
        run_no, profile_no, subset_no, weighting, chosen,
        case when weighting = 'story' then 1 else is_one_topic end = 1 as is_story,
        case when is_story then 'story' else 'topic' end as curve,
        cast(2 as decimal(38, 0)) * point.n_target * point.n_nontarget as n_pair_twice,
        case when is_story then ratio(n_ordered, n_pair_twice) else mean_area end as any_area,
        case when is_story and p_fa_stop >= 0 then ratio(n_ordered_stop, n_pair_twice) end as any_part,
        case when is_story and point.n_target > 0 then hit_at_stop / point.n_target end as any_hit,
        case when weighting = 'story' then all_trial.n_target + all_trial.n_nontarget else n_block_miss end as n_behind,
        case
            when coalesce(all_trial.n_target, 0) = 0 then 'no targets'
            when all_trial.n_nontarget = 0 or (weighting = 'topic' and n_block_fa = 0) then 'no non-targets'
            when rule.is_there = 1 and not coalesce(chosen >= 0, false) then 'single trials'
        end as reason
    from base.detection_subset__v1 join base.curve_request using (condition_no, subset_no)
    join registry.profile using (profile_no)
    cross join (select 'story' as weighting union all select 'topic' as weighting) as weighting
    left join metric.detection_det_population__v1 as all_trial using (run_no, profile_no, subset_no)
    left join (select *, 1 as is_there from metric.verification_eer__v1) as rule
        using (run_no, profile_no, subset_no, weighting)
    left join metric.verification_crossing__v1 as point using (run_no, profile_no, subset_no)
    left join metric.verification_topic_crossing__v1 using (run_no, profile_no, subset_no)
)

select
    valued.run_no, valued.profile_no, valued.subset_no, valued.weighting, chosen as eer, any_area as auc,
    any_part as partial_auc, any_hit as p_hit_at_p_fa, hull.n_hull_vertex,
    case when any_area >= 0 then n_behind else 0 end as n_counted,
    case when chosen >= 0 then n_behind else 0 end as n_eer, case when any_part >= 0 then n_behind else 0 end as n_part,
    reason as null_reason
from valued
left join metric.verification_hull_crossing__v1 as hull
    on hull.run_no = valued.run_no and hull.profile_no = valued.profile_no and hull.subset_no = valued.subset_no
    and hull.weighting = curve
