/*
what:   the name of the block only looks like {known!r}, in blanks, composed letters or letters that are not seen
advice: Names are compared as they are written.
*/
-- of the files, or of the gold ($condition; none while the gold is read)
with

name as (
    select block_id, as_seen(block_id) as look, bool_or(is_gold) as is_gold
    from (
        select distinct block_id, false as is_gold from partition_row where block_id is not null
        union all
        select block_id, true from base.block where condition_no = $condition)
    group by block_id
),

twin as (
    select odd.block_id, min(other.block_id) as known
    from name as odd
    join name as other using (look)
    where odd.block_id <> other.block_id and not odd.is_gold
        and (other.is_gold
            or odd.block_id <> look and (other.block_id = look or other.block_id < odd.block_id))
    group by odd.block_id
)

select min(file) as file, arg_min(line, (file, line)) as line, block_id as value, known
from partition_row
join twin using (block_id)
group by run_id, block_id, known
