/*
title:    Conditions that differ: their settings, the topics, events, ... that one archive scores and the other does not
edges:    As many as ten topics are named.
*/
with

excluded as (
    select side, condition_id, topic_id, reason
    from (
        select 'old' as side, * from old.registry.excluded_topic
        union all by name select 'new' as side, * from new.registry.excluded_topic
    ) as topic
    join condition using (side, condition_no)
),

block as (
    select side, condition_id, block_id
    from (
        select 'old' as side, condition_no, block_id from old.base.block
        union all select 'new', condition_no, block_id from new.base.block
    ) as block
    join condition using (side, condition_no)
),

moved as (
    select here.side, here.condition_id, block_id || coalesce(' (' || reason || ')', '') as shown, block_id
    from block as here
    anti join block as there
        on there.side <> here.side and there.condition_id = here.condition_id and there.block_id = here.block_id
    left join excluded
        on excluded.condition_id = here.condition_id and topic_id = block_id and excluded.side <> here.side
),

word as (
    select condition_id, word
    from condition_hash
    join block_word using (task)
    where side = 'new'
),

change as (
    select condition_id, 1 as place, name as topic_id,
        format('{}: {} -> {}', name, before, now) as said
    from (select owner as condition_id, * from other_value)
    where what = 'condition' and n_side = 2
    union all
    select
        condition_id, case side when 'old' then 2 else 3 end, '',
        format(
            '{}{} {}{} {}',
            word,
            case when count(*) = 1 then '' else 's' end,
            array_to_string(list(shown order by block_id)[:10], ', '),
            case when count(*) > 10 then format(' and {:,} more', count(*) - 10) else '' end,
            case side when 'old' then 'removed' else 'added' end
        )
    from moved
    join word using (condition_id)
    group by condition_id, word, side
    union all
    select
        condition_id, 4, topic_id,
        format(
            '{} {} {}', word, topic_id,
            coalesce('removed (' || max(reason) filter (where side = 'new') || ')', 'counts again')
        )
    from excluded
    join word using (condition_id)
    where (
        select count(distinct block.side)
        from block
        where block.condition_id = excluded.condition_id and block_id = topic_id
    ) = 2
    group by condition_id, word, topic_id
    having count(*) = 1
)

select
    what, name,
    coalesce(string_agg(said, '; ' order by place, topic_id), any_value(other_hash.change)) as change,
    '' as because
from other_hash
left join change on condition_id = name
where what = 'condition'
group by what, name
order by name
