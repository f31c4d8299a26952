/*
what:   BOUNDARY has no {name}, expected {name}=VALUE
advice: Add the attribute.
*/
select file, line, at_column, null as value, name
from (
    select *, unnest(['docno', 'doctype']) as name, unnest(f[:2]) as said
    from tag
    where element = 'boundary' and not is_closing
)
where said = ''
order by name
