/*
what:   <{element}> comes too late, expected one vertexSet and then one edgeSet
advice: Put all vertices into one vertexSet and all edges into one edgeSet behind it.
*/
select 0 as file, line, at_column, null as value, element
from xml_element
where belongs and element in ('vertexSet', 'edgeSet')
qualify row_number() over (partition by element order by place) > 1
    or element = 'vertexSet' and place > min(if(element = 'edgeSet', place, null)) over ()
order by place
