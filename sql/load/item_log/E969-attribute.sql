/*
what:   attribute {path} is a {kind}, expected text or a number
advice: Name a path to one value.
*/
select 0 as file, line, value, path, if(json_type(value) = 'ARRAY', 'list', 'object') as kind, 1 as at_column
from (
    select line, unnest($paths) as path, unnest(attributes) as value
    from (select distinct on (line) line, attributes from item_log where attributes is not null order by line))
where json_type(value) in ('ARRAY', 'OBJECT')
