/*
what:   the value of attribute {attribute} only looks like {known!r}, in blanks, composed letters or letters that are
        not seen
advice: Values are compared as they are written.
*/
with

looks as (
    select distinct attribute, value, as_seen(value) as look
    from base.item_attribute
    where condition_no = $condition
)

select 0 as file, null as line, odd.value, odd.attribute, min(other.value) as known
from looks as odd
join looks as other using (attribute, look)
where odd.value <> odd.look and (other.value = other.look or other.value < odd.value)
group by odd.attribute, odd.value
order by odd.attribute, odd.value
