/*
what: What the attributes of a condition are, to see whether they change.
*/
select attribute, count(*), bit_xor(hash(block_no, value))
from base.item_attribute
where condition_no = $condition
group by attribute
order by attribute
