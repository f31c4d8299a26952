/*
title:    What runs are compared by: profile, metric and subset, or what is wrong with the names of a call
edges:    A name alone means the run of the condition that all names share. words is NULL where nothing is wrong.
*/
with

candidate as (
    select run.*
    from (
        select
            unnest(cast($candidates as struct(place bigint, name varchar, condition_id varchar, run_id varchar,
                task varchar)[])) as run
    )
),

shared as (
    select condition_id
    from candidate
    group by condition_id
    having count(distinct place) = (select max(place) + 1 from candidate)
),

chosen as (
    select *
    from candidate
    where condition_id in (select condition_id from shared)
        or not exists (select 1 from shared)
),

used_task as (
    select task, known.is_by_trial, known.relations, primary_metric, block
    from (
        select unnest(cast($tasks as struct(task varchar, is_by_trial boolean, relations varchar[])[])) as known
    )
    join registry.task on task = known.task
    where task = (select min(task) from chosen)
),

-- under which all conditions are scored
known_profile as (
    select profile_id
    from registry.condition_profile
    join registry.condition using (condition_no)
    join registry.profile using (profile_no)
    where condition_id in (select condition_id from chosen)
    group by profile_id
    having count(*) = (select count(distinct condition_id) from chosen)
),

used_profile as (
    select coalesce($profile, case when count(*) = 1 then min(profile_id) end) as profile_id
    from known_profile
),

known_metric as (
    select metric, min(best) as best
    from registry.metric cross join used_task
    where case
        when is_by_trial then list_contains($metrics, metric)
        else grain = 'block' and (list_contains(relations, relation) or relation like 'own.%')
    end
    group by metric
),

-- of the task, where the conditions are not ranked by the same, or it has no numbers by topic
ranked_by as (
    select coalesce($metric, case
        when is_by_trial or least_metric = most_metric and least_metric in (select metric from known_metric)
            then least_metric
    end, primary_metric) as metric
    from used_task cross join (
        select min(metric) as least_metric, max(metric) as most_metric
        from report.leaderboard
        where profile_id = (select profile_id from used_profile)
            and condition_id in (select condition_id from chosen)
    ) as ranked
),

-- persons, dollars and kilometres: their differences have no mean either
attribute as (
    select distinct subset
    from base.subset
    join registry.condition using (condition_no)
    cross join used_task
    where $subset = 'all'
        and block = 'attribute'
        and not is_by_trial
        and condition_id in (select condition_id from chosen)
        and subset <> 'all'
),

problem as (
    select
        1 as place, 'setting' as kind,
        'these runs answer ' || count(*) || ' conditions: ' || string_agg(condition_id, ', ' order by condition_id)
            || '. Choose one with --condition.' as words
    from shared
    having count(*) > 1
    union all
    select
        2, 'setting',
        'run ''' || name || ''' exists under ' || count(*) || ' conditions. Name one: '
            || string_agg(condition_id || '/' || run_id, ', ' order by condition_id, run_id) || '.'
    from chosen
    where place = (
        select min(place)
        from (select place from chosen group by place having count(*) > 1)
    )
    group by name
    union all
    select
        2, 'setting',
        string_agg(name, ' and ' order by place) || ' are one run. Name at least two different runs.'
    from chosen
    group by condition_id, run_id
    having count(distinct place) > 1
    union all
    select
        3, 'setting',
        'the runs are of different tasks: ' || string_agg(distinct task, ', ' order by task)
            || '. Compare runs of one task.'
    from chosen
    having count(distinct task) > 1
    union all
    select
        4, case when $profile is null then 'setting' else 'name' end,
        case
            when $profile is null
                then 'the runs are scored under ' || count(*) || ' profiles: '
                || coalesce(string_agg(profile_id, ', ' order by profile_id), 'none in common')
                || '. Choose one with --profile.'
            else 'profile ''' || $profile || ''' is not one of the runs'' conditions. One of: '
                || coalesce(string_agg(profile_id, ', ' order by profile_id), '') || '.'
        end
    from known_profile
    having count(case when profile_id = (select profile_id from used_profile) then 1 end) = 0
    union all
    select
        5, case when is_by_trial then 'comparison' else 'setting' end,
        case
            when is_by_trial
                then 'metric ''' || used.metric || ''' cannot be compared on scored trials. One of: '
                || array_to_string($metrics, ', ')
            else 'metric ''' || used.metric || ''' has no number per topic, so runs cannot be compared by it. One of: '
                || coalesce((select string_agg(metric, ', ' order by metric) from known_metric), '')
        end || '.'
    from ranked_by as used cross join used_task
    where metric not in (select metric from known_metric)
    union all
    select
        6, 'setting',
        'scored trials cannot be compared with weighting ' || $weighting || '. Use story or topic.'
    from used_task
    where is_by_trial
        and $weighting in ('group', 'weight')
    union all
    select
        6, 'setting',
        (select metric from ranked_by) || ' over all attributes has no unit. Choose one with --subset: '
            || string_agg(subset, ', ' order by subset) || '.'
    from attribute
    having count(*) > 1
    union all
    select
        7, 'comparison',
        'the runs are of ' || count(*) || ' conditions (' || string_agg(condition_id, ', ' order by first_place)
            || '), hence not on the same trials.'
    from (select condition_id, min(place) as first_place from chosen group by condition_id)
    where (select is_by_trial from used_task)
    having count(*) > 1
)

select
    kind, words, task, is_by_trial, profile_id as profile, metric, best,
    coalesce((select min(subset) from attribute), $subset) as subset,
    (select list(condition_id order by chosen.place) from chosen) as conditions,
    (select list(run_id order by chosen.place) from chosen) as runs
from used_profile
cross join used_task
cross join ranked_by
left join known_metric using (metric)
left join problem on true
order by problem.place
limit 1
