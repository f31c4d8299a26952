/*
what:   <htd> misses <{name}>
advice: Add the element, empty if need be.
*/
select 0 as file, line, at_column, null as value, name
from (
    select *, unnest(['vertexSet', 'edgeSet']) as name
    from xml_element
    where element = 'htd' and belongs and value_2 is not null and $is_complete
)
where name not in (select element from xml_element where belongs)
order by name desc
