/*
what:   <{element}> does not belong {where}, expected {expected}
advice: Write the file as the plan's DTD has it (htd: vertexSet, then edgeSet).
*/
-- what an unknown element holds is not reported again
select 0 as file, line, at_column, null as value, element,
    coalesce('inside <' || around || '>', 'as the outermost element') as where,
    coalesce((
        select string_agg('<' || known.element || '>', ' or ' order by number)
        from xml_grammar as known
        where inside is not distinct from around
    ), 'nothing') as expected
from xml_element
where not belongs and (around is null or around in (select element from xml_grammar))
order by place
