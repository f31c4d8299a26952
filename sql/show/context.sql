/*
title:  What the sections of a page have in common: runs by name, conditions of scored trials, what topics are called
*/
select
    (select list(distinct run_id order by run_id) from registry.run) as runs,
    (
        select list(condition_id order by condition_id)
        from registry.condition
        join registry.task using (task)
        where decides_on = 'trial'
    ) as of_trials,
    case when count(distinct word) = 1 then min(word) else 'topic' end as topic
from (
    select case when block in ('topic', 'event', 'attribute', 'block') then 'topic' else block end as word
    from registry.condition
    join registry.task using (task)
    where condition_id = coalesce($condition, condition_id)
)
