/*
what:   {name} is {wrong}, expected {expected}
advice: {advised}
field:  label
most:   1000
*/
-- of an empty one the code is E305
select file, read_scored_trials.line, if(is_empty, null, read_scored_trials.label) as value, $name as name,
    $expected as expected, if(is_empty, 'E305', 'E941') as code, if(is_empty, 'empty', 'not a label') as wrong,
    if(is_empty, 'Fill it in.', 'Correct the value.') as advised
from read_scored_trials
join (select file, label, word = '' as is_empty from key_label where is_odd) as odd using (file)
where read_scored_trials.label is not distinct from odd.label
