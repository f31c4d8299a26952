/*
what:   rootVertex names a vertex that vertexSet does not have
advice: Add the vertex, or correct the root.
*/
select 0 as file, line, at_column, value_2 as value
from xml_element
where element = 'htd' and belongs and value_2 not in (select name from xml_vertex) and exists (from xml_vertex)
