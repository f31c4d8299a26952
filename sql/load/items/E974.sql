/*
what:   lower_is_better: the measure is better at the other end in condition '{other}' of the store
advice: Say the same in both, or rename the measure.
*/
select distinct 0 as file, null as line, measure as value, condition_id as other
from base.item_measure
join registry.condition using (condition_no)
where
    condition_id <> $id
    and list_contains($measures, measure)
    and (is_lower_better = 1) <> coalesce(list_contains(string_split($lower_is_better, chr(10)), measure), false)
order by value, other
