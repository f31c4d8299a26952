/*
what:   this vertex was given already at {first_line}
advice: Give every vertex a unique name, and list its stories once.
*/
select 0 as file, element.line, at_column, name as value, own.line as first_line
from xml_element as element
join xml_vertex as own on own.name = value_1
where element = 'vertex' and belongs and element.place > own.place
order by element.place
