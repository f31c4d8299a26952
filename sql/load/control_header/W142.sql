/*
what:   language is not known, expected eng, man, arb or mul (with ,nat or ,eng)
advice: It is stored unchanged.
*/
select file, line, at_column, value
from (select file, line, unnest(f[2:3]) as value, unnest(starts[2:3]) as at_column from header where is_header)
where not list_has_all(['eng', 'man', 'arb', 'mul', 'nat'], regexp_split_to_array(lower(value), '[,.+]'))
