/*
what:   id '{value}' of a trial is a number in scientific notation, and may have lost digits{more}
advice: Write the ids as text: spreadsheets round long numbers.
*/
select file, line, id as value, if(n > 1, printf(' (%d such ids)', n), '') as more
from (
    select file, line, id, count(distinct id) over () as n
    from (select file, line, unnest([trial_id, test_id]) as id from trial_row)
    where id like '%E+%' and is_scientific(id)  -- 1e5 may be a hash
)
qualify row_number() over (order by file, line, id) = 1
