/*
what:   The updates that are pooled, matched, or have the text of a pooled one, numbered by id.
*/
select row_number() over (order by update_id, block_no) as update_no, *
from (
    select block_no, update_id from ts_pool
    union
    select block_no, update_id from ts_match_row where block_no is not null
    union
    select block_no, twin.update_id from ts_twin as twin join ts_pool as pool on pool.update_id = twin.other)
