/*
what: The measures that a condition does not have yet; runs are ranked by the one that it names, or the first.
*/
insert into base.item_measure (condition_no, measure_no, measure, is_lower_better, is_primary)
select
    $condition,
    row_number() over (order by measure) + coalesce((
        select max(measure_no) from base.item_measure where condition_no = $condition), 0),
    measure, cast(coalesce(list_contains(string_split($lower_is_better, chr(10)), measure), false) as integer), 0
from items_measure
where is_new
order by measure;

update base.item_measure set is_primary = made.is_primary
from (
    select measure_no, cast(measure = coalesce(nullif($ranked_by, ''), min(measure) over ()) as integer) as is_primary
    from base.item_measure
    where condition_no = $condition
) as made
where
    item_measure.condition_no = $condition
    and item_measure.measure_no = made.measure_no
    and item_measure.is_primary <> made.is_primary
