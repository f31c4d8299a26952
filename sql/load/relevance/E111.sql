/*
what:   ONTOPIC has no {name}, expected {name}=VALUE
advice: Add the attribute.
*/
select file, line, at_column, null as value, name
from (
    select *, unnest(['topicid', 'level', 'docno']) as name, unnest(f[:3]) as said, unnest([1, 2, 3]) as number
    from tag
    where element = 'ontopic' and not is_closing
)
where said = ''
order by place, number
