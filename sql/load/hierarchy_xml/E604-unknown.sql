/*
what:   <{element}> has an attribute that the plan's DTD does not know
advice: Leave the attribute out.
*/
select 0 as file, line, at_column, unnest(string_split(others, chr(0))) as value, element
from xml_element
where belongs and others is not null
order by place
