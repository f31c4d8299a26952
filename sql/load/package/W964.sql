/*
what:   an attribute of {n} values makes no subsets
advice: Leave the attribute out, or group its values.
*/
select 0 as file, null as line, attribute as value, count(distinct value) as n
from package_attribute
group by attribute
having count(distinct value) > $most
order by attribute
