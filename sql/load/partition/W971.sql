/*
what:   item '{value}' is a number in scientific notation, and may have lost digits{more}
advice: Write the ids as text: spreadsheets round long numbers.
*/
select file, line, item_id as value, if(n > 1, printf(' (%d such items)', n), '') as more
from (
    select run_no, file, line, place, item_id, count(distinct item_id) over (partition by run_no) as n
    from partition_spurious
    where is_scientific(item_id)
)
qualify row_number() over (partition by run_no order by file, line, place) = 1
