/*
what:   The subsets of a condition: all blocks, and those of each attribute.
*/
insert into base.subset (condition_no, subset_no, subset, kind)
select $condition, 0, 'all', 'all'
union all
select distinct $condition, subset_no, 'attribute=' || attribute, 'attribute'
from vt_value
order by 2
