/*
what:   a vertex name is one word without blanks
advice: Rename the vertex.
*/
select 0 as file, line, at_column, value_1 as value
from xml_element
where element = 'vertex' and belongs and value_1 is not null and as_word(value_1) is null
order by place
