/*
title:    The primary metric of each task, best first
formula:  tracking, new event, link: topic-weighted c_det_norm; hierarchy: min_cost;
          filtering: topic-weighted t11su; summarization: h; value tracking: ee, each attribute by itself;
          clusterings: b3_f1; verification: act_c_det_norm where scores are log-likelihood ratios, else min_c_det_norm
source:   The 2004 TDT evaluation plan, section 5 (topic-weighted C_Det, normalised) and appendix A (minimal cost);
          TREC-11 filtering track (T11SU); TREC 2014 temporal summarization track (H)
inputs:   report.score, report.condition, registry.task
grain:    condition_id, profile_id, run_id, subset
columns:
    condition_id  key     evaluation condition
    profile_id    key     scoring profile
    task          text    task
    metric        text    the task's primary metric
    position      count   1 is the best; equal values share a position
    run_id        key     run
    value         double  the number; NULL where undefined, then last
    n             count   topics that entered the mean
    signature     text    short recipe of the number
    subset        key     all; attribute=NAME where the blocks are attributes, whose units differ
edges:    Runs that are not up to date are in report.stale, not here.
class:    exact
see also: score
*/
with

ranked_by as (
    select condition_id, primary_metric as ranking_metric
    from report.condition
),

primary_score as (
    select
        condition_id, profile_id, task, metric, run_id, value, n, signature, subset,
        case when best = 'highest' then -value else value end as badness
    from report.score
    join ranked_by using (condition_id)
    join registry.task using (task)
    where metric = ranking_metric
        and weighting = 'topic'
        and ((block = 'attribute' and subset <> 'all') or (block <> 'attribute' and subset = 'all'))
)

select
    condition_id, profile_id, task, metric,
    rank() over (partition by condition_id, profile_id, subset order by badness asc nulls last) as position,
    run_id, value, n, signature, subset
from primary_score
