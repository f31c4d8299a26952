/*
what:   Nuggets of a condition.
*/
insert into base.nugget (condition_no, block_no, nugget_no, row_no, nugget_id, nugget_time, importance, length_column,
    n_word_blanks, n_word, nugget_text)
select $condition, block_no, nugget_no, row_no, nugget_id, time, importance, length, n_word_blanks, n_word, text
from ts_nugget_row
join ts_nugget using (nugget_id, block_no)
order by row_no
