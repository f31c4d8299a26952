/*
what:   <vertexSet> misses its vertices
advice: Add at least the root.
*/
select 0 as file, line, at_column, null as value
from xml_element
where element = 'htd' and belongs and value_2 is not null and $is_complete
    and 'vertexSet' in (select element from xml_element where belongs) and not exists (from xml_vertex)
