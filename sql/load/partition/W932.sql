/*
what:   {n} of {n_all} items of the {side} are in source files that the corpus leaves out; they do not count
advice: Remove them, or the file from the exclude list.
*/
select first_row.file, first_row.line, first_row.item_id as value, n, n_all, $side as side
from (
    select
        min({'file': file, 'line': line, 'place': place, 'item_id': item_id}) filter (where is_left_out) as first_row,
        count(distinct item_id) filter (where is_left_out) as n,
        count(distinct item_id) as n_all
    from partition_row
    left join partition_story using (item_id)
)
where n > 0
