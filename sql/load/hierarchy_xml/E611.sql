/*
what:   {attribute} names a vertex that vertexSet does not have
advice: Add the vertex, or drop the edge.
*/
select 0 as file, line, at_column, value, attribute
from (
    select *, unnest([1, 2]) as number, unnest([name_1, name_2]) as attribute, unnest([value_1, value_2]) as value
    from xml_element
    where element = 'edge' and belongs and value_1 is not null and value_2 is not null
)
where value not in (select name from xml_vertex)
order by place, number
