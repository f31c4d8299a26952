/*
title:    The primary metric of each task, best first
formula:  tracking, new event, link: topic-weighted c_det_norm; hierarchy: min_cost;
          filtering: topic-weighted t11su; summarization: h; value tracking: ee
source:   The 2004 TDT evaluation plan, section 5 (topic-weighted C_Det, normalised) and appendix A (minimal cost);
          TREC-11 filtering track (T11SU); TREC 2014 temporal summarization track (H)
inputs:   report.score
grain:    condition_id, profile_id, run_id
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
edges:    Runs that are not up to date are in report.stale, not here.
class:    exact
see also: score
*/
with

primary_score as (

    select
        score.condition_id as condition_id,
        score.profile_id as profile_id,
        score.task as task,
        score.metric as metric,
        score.run_id as run_id,
        score.value as value,
        score.n as n,
        score.signature as signature,
        case when score.metric in ('t11su', 'h') then -score.value else score.value end as badness
    from report.score as score
    where score.subset = 'all'
        and score.weighting = 'topic'
        and (
            (score.metric = 'c_det_norm' and score.task in ('tracking', 'new_event', 'link'))
            or (score.metric = 'min_cost' and score.task = 'hierarchy')
            or (score.metric = 't11su' and score.task = 'filtering')
            or (score.metric = 'h' and score.task = 'summarization')
            or (score.metric = 'ee' and score.task = 'value_tracking')
        )

)

select
    listed.condition_id as condition_id,
    listed.profile_id as profile_id,
    listed.task as task,
    listed.metric as metric,
    rank() over (
        partition by listed.condition_id, listed.profile_id
        order by coalesce(listed.badness, 9e99) asc
    ) as position,
    listed.run_id as run_id,
    listed.value as value,
    listed.n as n,
    listed.signature as signature
from primary_score as listed
