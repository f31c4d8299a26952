/*
what:   match of an update outside the pool{many}
advice: Its text and length are unknown.
*/
select arg_min(file, row_no) as file, arg_min(line, row_no) as line, arg_min(update_id, row_no) as value,
    if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from ts_match
where not is_pooled
having count(*) > 0
