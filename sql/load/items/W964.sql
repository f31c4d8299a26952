/*
what:   attribute {value} has {n} values, and more than {most} make no subsets
advice: Name the attributes that make subsets: subsets = [...] of the condition.
*/
select 0 as file, null as line, attribute as value, count(distinct value) as n, $most as most
from base.item_attribute as own
join registry.condition using (condition_no)
where
    condition_no = $condition
    and subsets is null
    and not list_contains(string_split(cluster_by, chr(10)), attribute)
group by attribute
having count(distinct own.value) > $most
order by attribute
