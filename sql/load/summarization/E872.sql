/*
what:   {none} of {what} that the {file_of} file has, of which one is '{example}'
advice: Write events and ids in the same way in both.
*/
select file, line, value, what, file_of, example,
    if(n > 1, format('none of the {:,} matches is', n), 'the only one of the matches is not') as none
from (
    select arg_min(file, row_no) as file, arg_min(line, row_no) as line, arg_min(nugget_id, row_no) as value,
        count(*) as n, 'a nugget' as what, 'nuggets' as file_of,
        (select arg_min(nugget_id, row_no) from ts_nugget_row) as example
    from ts_match_row
    where not exists (select 1 from ts_match where nugget_no > 0)
    union all
    select arg_min(file, row_no), arg_min(line, row_no), arg_min(update_id, row_no), count(*), 'an update', 'updates',
        (select arg_min(update_id, row_no) from ts_update_row)
    from ts_match_row
    where not exists (select 1 from ts_match where is_pooled or is_twin)
        and not exists (select 1 from ts_match_row semi join ts_update_row using (update_id)))
where n > 0 and example is not null
