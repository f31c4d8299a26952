/*
what:   orphan match: the nuggets file does not have this nugget{many}
advice: Correct the nugget, or add it to the nuggets.
*/
select arg_min(file, row_no) as file, arg_min(line, row_no) as line, arg_min(nugget_id, row_no) as value,
    if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from ts_match
where nugget_no = 0
having count(*) > 0
