/*
what:   The items of runs that only look like one of the gold that they do not have, the first of each run
*/
create or replace temp table partition_twin as
with

looks as (
    select run_no, item_id, block_no, file, line, place,
        lower(nfc_normalize(regexp_replace(trim(item_id), '\.0+$', ''))) as look
    from partition_spurious
),

known as (
    select run_no, item_id as known_id, block_no,
        lower(nfc_normalize(regexp_replace(trim(item_id), '\.0+$', ''))) as look
    from (select distinct run_no from partition_spurious)
    cross join (from base.partition_item where condition_no = $condition)
    anti join partition_numbered using (run_no, item_no)
)

select run_no, item_id, known_id, file, line
from looks
join known using (run_no, block_no, look)
qualify row_number() over (partition by run_no order by file, line, place, known_id) = 1
