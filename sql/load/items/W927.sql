/*
what:   the {of} only looks like {known!r}, in blanks, composed letters or letters that are not seen
advice: Values are compared as they are written.
*/
with

looks as (
    select distinct 'value of attribute ' || attribute as of, value, as_seen(value) as look
    from base.item_attribute
    where condition_no = $condition
    union all
    select 'id of an item', block_id, as_seen(block_id)
    from base.block
    where condition_no = $condition
        and exists (
            select 1 from base.block where condition_no = $condition and regexp_matches(block_id, '[^!-~]'))
)

select 0 as file, null as line, odd.value, odd.of, min(other.value) as known
from looks as odd
join looks as other using (of, look)
where odd.value <> odd.look and (other.value = other.look or other.value < odd.value)
group by odd.of, odd.value
order by odd.of, odd.value
