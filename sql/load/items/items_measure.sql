/*
what: The measures of a condition and of the samples of runs.
*/
select measure, bool_or(is_said) as is_said, bool_and(is_said) as is_new
from (
    select measure, false as is_said from base.item_measure where condition_no = $condition
    union all
    select distinct measure, true from items_row
)
group by measure
