/*
title:    The primary metric of each task, best first
formula:  tracking, new event, link: topic-weighted c_det_norm; hierarchy: min_cost;
          filtering: topic-weighted t11su; summarization: h; value tracking: ee, each attribute by itself;
          clusterings: b3_f1; scored trials: the profile's column "primary", pooled over trials (without one
          act_c_det_norm where scores are log-likelihood ratios, else min_c_det_norm); tasks of packages: the value
          "ranked_by" of the profile, where it has one, else the metric of the task, in the weighting of the task
source:   The 2004 TDT evaluation plan, section 5 (topic-weighted C_Det, normalised) and appendix A (minimal cost);
          TREC-11 filtering track (T11SU); TREC 2014 temporal summarization track (H)
inputs:   report.score, report.condition, registry.task, registry.profile, registry.profile_value, registry.metric,
          registry.withdrawal, registry.run, registry.condition
grain:    condition_id, profile_id, run_id, subset
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    task          text    task
    metric        text    the primary metric
    position      count   1 is the best; equal values share a position; NULL for a withdrawn run
    run_id        key     run
    value         double  the number; NULL where undefined, then last
    n             count   topics that entered the mean; of scored trials the trials
    signature     text    short signature of the score
    subset        key     all; attribute=NAME where the blocks are attributes, whose units differ
    weighting     text    topic, story where a key has scored trials, or as the package of the task says
    withdrawn     text    why the run was withdrawn; NULL: it is ranked
edges:    Runs that are not up to date are in report.stale, not here. Withdrawn runs have no position.
          Where the primary metric of scored trials is undefined for a run and min_c_det_norm for none, the whole board
          is ranked by min_c_det_norm.
class:    exact
see also: score
*/
with direction as (select metric, min(best) as metric_best from registry.metric group by metric),

-- of a task package
own_primary as (select profile_no, value as own_metric from registry.profile_value where name = 'ranked_by'),

-- a board of scored trials may be ranked by the one metric or the other
candidate as (
    select
        condition_id, profile_id, task, metric, run_id, value, n, signature, subset, weighting,
        case when metric_best = 'highest' then -value else value end as badness,
        case
            when decides_on = 'trial' and metric <> coalesce(profile.primary, condition.primary_metric) then 1 else 0
        end as is_second
    from report.score join report.condition using (condition_id, task)
    join registry.profile using (profile_id)
    left join own_primary using (profile_no)
    join registry.task as task_row using (task)
    join direction using (metric)
    where (
        (decides_on = 'trial' and weighting = 'story'
            and metric in (coalesce(profile.primary, condition.primary_metric), 'min_c_det_norm'))
        or (coalesce(decides_on, 'none') <> 'trial' and weighting = primary_weighting
            and metric = coalesce(own_metric, condition.primary_metric))
    )
        and ((block = 'attribute' and subset <> 'all') or (block <> 'attribute' and subset = 'all'))
    window board as (partition by condition_id, profile_id, subset)
    qualify
        is_second = case
            when max(is_second) over board = 1
                and max(case when is_second = 0 and value is null then 1 else 0 end) over board = 1
                and max(case when is_second = 1 and value is null then 1 else 0 end) over board = 0 then 1
            else 0
        end
),

withdrawal as (
    select condition_id, run_id, reason as withdrawn, 1 as is_withdrawn
    from registry.withdrawal join registry.run using (run_no) join registry.condition using (condition_no)
)

select
    condition_id, profile_id, task, metric,
    case
        when coalesce(withdrawal.is_withdrawn, 0) = 0 then rank() over (
            partition by condition_id, profile_id, subset, coalesce(withdrawal.is_withdrawn, 0)
            order by badness asc nulls last
        )
    end as position,
    run_id, value, n, signature, subset, weighting, withdrawn
from candidate
left join withdrawal using (condition_id, run_id)
