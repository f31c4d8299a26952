/*
title:       How soon a topic is found
question:    How many stories and seconds after the first story of each topic did a run first accept one of its stories?
about:       stories
inputs:      report.trial, registry.condition, registry.task
parameters:
    run        run        none  one run; none: all
    condition  condition  none  one condition; none: all
    profile    profile    none  one scoring profile; none: all
    topic      topic      none  one topic; none: all
grain:       condition_id, profile_id, run_id, block_id
columns:
    condition_id  key      evaluation condition
    profile_id    key      scoring profile
    run_id        key      run
    block_id      key      topic
    first_target  text     the first story on topic in its test set
    first_hit     text     the first of them that the run accepted; NULL if none
    n_missed      count    targets missed before that; all of them without a hit
    n_later       count    stories of the corpus from first_target to first_hit; NULL without a hit
    seconds       seconds  time of publication between the two; NULL without a hit, or without date and time
order:       Conditions, profiles and runs by name; topics that were never found, then the latest first.
edges:       Tasks whose runs decide on the stories of each topic.
see also:    metric.first_detection_topic, late_nuggets, topic_timeline, report.trial
*/
with

target as (
    select
        trial.condition_id, profile_id, run_id, block_id, story_id, trial.position,
        case when decision = 'yes' then trial.position end as hit_position,
        published_at as moment
    from report.trial
    join registry.condition using (condition_id)
    join registry.task on task.task = condition.task
    where is_target = 1
        and is_scored = 1
        and decides_on = 'topic'
        and run_id = coalesce($run, run_id)
        and trial.condition_id = coalesce($condition, trial.condition_id)
        and profile_id = coalesce($profile, profile_id)
        and block_id = coalesce($topic, block_id)
),

found as (
    select
        condition_id, profile_id, run_id, block_id,
        min(position) as first_position,
        min(hit_position) as first_hit_position
    from target
    group by condition_id, profile_id, run_id, block_id
)

select
    condition_id, profile_id, run_id, block_id,
    min(case when position = first_position then story_id end) as first_target,
    min(case when position = first_hit_position then story_id end) as first_hit,
    count(*) filter (where first_hit_position is null or position < first_hit_position) as n_missed,
    first_hit_position - first_position as n_later,
    date_diff(
        'second',
        min(case when position = first_position then moment end),
        min(case when position = first_hit_position then moment end)
    ) as seconds
from target
join found using (condition_id, profile_id, run_id, block_id)
group by condition_id, profile_id, run_id, block_id, first_position, first_hit_position
order by condition_id, profile_id, run_id, n_later desc nulls first, block_id
