/*
what:   attribute {value} has {n} values, and more than {most} make no subsets
advice: Name the attributes that make subsets: subsets = [...] of the condition.
*/
select 0 as file, null as line, $names[number] as value, count(distinct own) filter (own <> '') as n, $most as most
from (
    select unnest(attributes) as own, generate_subscripts(attributes, 1) as number
    from key_group)
where number <= len($names)
group by number
having n > $most
order by number
