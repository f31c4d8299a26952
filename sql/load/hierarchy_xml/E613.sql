/*
what:   vertex {name!r} lists this story twice
advice: List a story once per vertex.
*/
select 0 as file, line, at_column, story_id as value, name
from xml_listed
qualify row_number() over (partition by vertex, story order by place) > 1
order by place
