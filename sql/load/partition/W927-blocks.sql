/*
what:   the name of the block only looks like {known!r}, in blanks, composed letters or letters that are not seen
advice: Names are compared as they are written.
*/
-- of the same file, or of the gold ($condition; none while the gold is read)
with

name as (
    select run_id, block_id, true as is_own
    from partition_row
    where block_id is not null
    group by run_id, block_id
    union all
    select run_id, block.block_id, false
    from (select distinct run_id from partition_row)
    cross join base.block
    where condition_no = $condition
),

looks as (select *, as_seen(block_id) as look from name),

twin as (
    select odd.run_id, odd.block_id, min(other.block_id) as known
    from looks as odd
    join looks as other on other.run_id is not distinct from odd.run_id and other.look = odd.look
    where odd.is_own and odd.block_id <> other.block_id
        and odd.block_id not in (select block_id from name where not is_own)
        and (not other.is_own
            or odd.block_id <> odd.look and (other.block_id = other.look or other.block_id < odd.block_id))
    group by odd.run_id, odd.block_id
)

select min(file) as file, arg_min(line, (file, line)) as line, twin.block_id as value, known
from twin
join partition_row as own on own.run_id is not distinct from twin.run_id and own.block_id = twin.block_id
group by twin.run_id, twin.block_id, known
