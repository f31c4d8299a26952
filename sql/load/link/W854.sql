/*
what:   {n} pairs {wrong}
advice: They are scored.
*/
-- in order of time: second (newest) story, then first; the older story first
with listed as (
    select *, story_no_2 < story_no_1 as is_newer, story_no_2 < lag(story_no_2) over by_trial
            or story_no_2 = lag(story_no_2) over by_trial and story_no_1 < lag(story_no_1) over by_trial as is_earlier
    from link_pair
    where $is_ordered
    window by_trial as (order by trial_no)
)

select file, line, id_1 || ' ' || id_2 as value, n, wrong
from (
    select *, 1 as kind, count(*) over () as n,
        'come before an older pair; the plan orders them by the second story, then the first' as wrong
    from listed where is_earlier
    union all
    select *, 2, count(*) over (), 'name the newer story first; the plan puts the older one first'
    from listed where is_newer)
qualify row_number() over (partition by kind order by trial_no) = 1
order by kind
