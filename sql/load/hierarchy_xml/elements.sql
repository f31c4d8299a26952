/*
what:   The elements of a hierarchy, and the vertices, lists and edges that they make.
*/
-- the plan's DTD: elements, what each is in, and their attributes.
create or replace temp table xml_grammar as
select *
from (
    values (1, 'htd', null, 'system', 'rootVertex'), (2, 'vertexSet', 'htd', null, null),
        (3, 'vertex', 'vertexSet', 'name', null), (4, 'story', 'vertex', 'docID', null),
        (5, 'edgeSet', 'htd', null, null), (6, 'edge', 'edgeSet', 'srcVertex', 'destVertex')
) as grammar (number, element, inside, name_1, name_2);

-- the elements of a hierarchy, and whether each is where the plan's DTD has it.
create or replace temp view xml_element as
select xml_row.*, name_1, name_2, number is not null and inside is not distinct from around as belongs
from xml_row
left join xml_grammar using (element);

-- vertices, numbered by their names from 0.
create or replace temp table xml_vertex as
select row_number() over (order by name) - 1 as vertex, *
from (
    select place, line, value_1 as name
    from xml_element
    where element = 'vertex' and belongs and as_word(value_1) is not null
    qualify row_number() over (partition by value_1 order by place) = 1
);

-- the stories that vertices list; stories are numbered from 0 in the order of their first mention.
create or replace temp table xml_listed as
select place, line, at_column, vertex, name, story_id, dense_rank() over (order by first_place) - 1 as story
from (
    select element.place, element.line, element.at_column, value_1 as story_id, vertex, name,
        min(element.place) over (partition by value_1) as first_place
    from xml_element as element
    join xml_vertex as own on own.place = element.parent
    where element = 'story' and belongs and value_1 is not null
);

-- edges between vertices.
create or replace temp table xml_edge as
select element.place, element.line, element.at_column, source.vertex as source, target.vertex as target
from xml_element as element
join xml_vertex as source on source.name = value_1
join xml_vertex as target on target.name = value_2
where element = 'edge' and belongs;
