/*
what:   The items of a run that only look like one of the gold that it does not have, the first of them
*/
with

looks as (
    select item_id, block_no, file, line, place,
        lower(nfc_normalize(regexp_replace(trim(item_id), '\.0+$', ''))) as look
    from partition_spurious
),

known as (
    select item_id as known_id, block_no, lower(nfc_normalize(regexp_replace(trim(item_id), '\.0+$', ''))) as look
    from base.partition_item
    anti join partition_numbered using (item_no)
    where condition_no = $condition
)

select item_id, known_id, file, line
from looks
join known using (block_no, look)
qualify row_number() over (order by file, line, place, known_id) = 1
