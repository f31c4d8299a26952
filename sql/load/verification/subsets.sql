/*
what: The subsets of a condition: each value of an attribute; a class that lacks the attribute is in all of them.
*/
delete from base.curve_request where condition_no = $condition;

delete from base.subset_cell where condition_no = $condition;

delete from base.subset where condition_no = $condition;

create or replace temp table key_attribute as
select segment_no, block_no, attribute, value, is_target,
    max(value) over (partition by attribute, is_target) is null as is_lacking
from base.verification_attribute
join base.verification_segment using (condition_no, segment_no)
where condition_no = $condition and list_contains($subsets, attribute);

insert into base.subset (condition_no, subset_no, subset, kind)
select $condition, 0, 'all', 'all'
union all
select $condition, row_number() over (order by attribute, value), attribute || '=' || value,
    case
        when attribute in (select attribute from key_attribute where is_lacking and is_target = 1)
            then 'attribute of non-targets'
        when attribute in (select attribute from key_attribute where is_lacking and is_target = 0)
            then 'attribute of targets'
        else 'attribute' end
from (select distinct attribute, value from key_attribute where value is not null)
order by 2;

insert into base.subset_cell (condition_no, subset_no, block_no, segment_no)
select $condition, subset_no, block_no, segment_no
from key_attribute as own
join (select distinct attribute, value from key_attribute where value is not null) as named
    on named.attribute = own.attribute and (own.is_lacking or named.value = own.value)
join (select subset_no, subset from base.subset where condition_no = $condition) as subset
    on subset.subset = named.attribute || '=' || named.value
order by subset_no, block_no, segment_no;

insert into base.curve_request
select $condition, subset_no, 0 from base.subset where condition_no = $condition order by subset_no
