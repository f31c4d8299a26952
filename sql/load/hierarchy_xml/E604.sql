/*
what:   <{element}> misses the attribute {name}
advice: Add the attribute.
*/
select 0 as file, line, at_column, null as value, element, name
from (
    select *, unnest([1, 2]) as number, unnest([name_1, name_2]) as name, unnest([value_1, value_2]) as said
    from xml_element
    where belongs and (value_1 is null or value_2 is null) and name_1 is not null
)
where name is not null and said is null
order by place, number
