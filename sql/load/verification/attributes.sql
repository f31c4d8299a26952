/*
what: The attributes of a key: how many values each has, and the class of which no trial has one where the other has.
*/
select
    $names[number] as attribute, count(distinct value) filter (value <> '') as n_value,
    case
        when count(value) filter (value <> '') = 0 or bool_and(is_target) = bool_or(is_target) then null
        when not bool_or(is_target and value <> '') then 'target'
        when not bool_or(not is_target and value <> '') then 'non-target' end as lacking
from (
    select is_target, unnest(attributes) as value, generate_subscripts(attributes, 1) as number
    from key_group)
where number <= len($names)
group by number
order by number
