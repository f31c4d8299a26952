/*
what:   a duplicate of a duplicate; followed one step only, as the track's programs do{many}
advice: Name the first of the updates that are the same.
*/
select arg_min(file, update_no) as file, arg_min(line, update_no) as line, arg_min(update_id, update_no) as value,
    if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from ts_known
where is_chain
having count(*) > 0
