/*
what:   {name} is {wrong}, expected {expected}
advice: {advised}
field:  label
most:   1000
*/
-- of an empty one the code is E305
select file, line, if(is_empty, null, label) as value, $name as name, $expected as expected,
    if(is_empty, 'E305', 'E941') as code, if(is_empty, 'empty', 'not a label') as wrong,
    if(is_empty, 'Fill it in.', 'Correct the value.') as advised
from (
    select *, coalesce(trim(label), '') = '' as is_empty
    from read_scored_trials
    where list_contains($odd, file || ' ' || coalesce(label, '')))
