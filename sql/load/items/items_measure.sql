/*
what: The measures of a condition and of the samples of runs; is_used: of these, or of a run that these do not replace.
*/
select measure, bool_or(is_said) as is_said, bool_and(is_said) as is_new, bool_or(is_used) as is_used
from (
    select
        measure, false as is_said,
        measure_no in (
            select distinct measure_no
            from base.item_score
            join known_run using (run_no)
            where condition_no = $condition and not list_contains($runs, run_id)
        ) as is_used
    from base.item_measure
    where condition_no = $condition
    union all
    select distinct measure, true, true from items_row
)
group by measure
