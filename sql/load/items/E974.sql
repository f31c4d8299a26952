/*
what:   lower_is_better: the measure is better at the other end {other}
advice: Correct lower_is_better, or rename the measure.
*/
select distinct
    0 as file, null as line, measure as value, 'in condition ''' || condition_id || ''' of the store' as other
from base.item_measure
join registry.condition using (condition_no)
where
    condition_id <> $id
    and list_contains($measures, measure)
    and (is_lower_better = 1) <> coalesce(list_contains(string_split($lower_is_better, chr(10)), measure), false)
union all
select 0, null, metric, 'as a metric of other tasks'
from registry.published
where list_contains($measures, metric)
group by metric
having min(best) in ('highest', 'lowest')
    and (min(best) = 'lowest') <> coalesce(list_contains(string_split($lower_is_better, chr(10)), metric), false)
order by value, other
