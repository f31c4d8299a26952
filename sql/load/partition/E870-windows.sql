/*
what:   {none} among those of the gold's windows, of which one is {example!r}
advice: Write the ids as the condition does, or name the condition of this run.
*/
-- the code of a condition whose profiles say how such items count is W870
select
    first_row.file, first_row.line, first_row.item_id as value, $disjoint as code,
    if(
        n = 1, 'the only one of the items of the run is not', format('none of the {:,} items of the run is', n)
    ) as none,
    (select min(item_id) from base.partition_item where condition_no = $condition) as example
from (
    select
        min({'file': file, 'line': line, 'place': place, 'item_id': item_id}) as first_row,
        count(distinct item_id) as n,
        bool_and(
            coalesce(day, '') not between (select min(first_day) from partition_window)
            and (select max(last_day) from partition_window)
        ) as is_disjoint
    from partition_row
    left join partition_story using (item_id)
)
where is_disjoint and n > 0
