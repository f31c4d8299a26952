/*
what:   {n} of {n_all} items of the {side} are no stories of the corpus; they count in all, and in no other subset
advice: Add them to the stories, or correct the ids.
*/
select first_row.file, first_row.line, first_row.item_id as value, n, n_all, $side as side
from (
    select
        min({'file': file, 'line': line, 'place': place, 'item_id': item_id})
            filter (where is_left_out is null) as first_row,
        count(distinct item_id) filter (where is_left_out is null) as n,
        count(distinct item_id) as n_all
    from partition_row
    left join partition_story using (item_id)
)
where n > 0
