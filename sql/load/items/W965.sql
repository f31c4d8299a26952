/*
what:   there are {n} measures, and runs are ranked by the first: {first}
advice: Name one: measure = "{first}" of the condition.
*/
select 0 as file, null as line, null as value, count(*) as n, min(measure) as first
from items_measure
where coalesce($ranked_by, '') = '' and is_used
having count(*) > 1 and bool_or(is_new)
