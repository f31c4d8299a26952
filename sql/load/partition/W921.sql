/*
what:   the item is already in this cluster ({n} such rows); it counts once
advice: Remove the row; or, if two columns name an item together, name both: item = ["...", "..."].
*/
-- a row that is in several windows is one row
select first_row.file, first_row.line, first_row.item_id as value, n
from (
    select
        min({'file': file, 'line': line, 'place': place, 'item_id': item_id}) as first_row,
        count(distinct (file, line, place)) as n
    from (
        select
            *,
            row_number() over (
                partition by block_id, item_id, cluster_id order by file, line, place
            ) as nth
        from partition_row
        where cluster_id is not null and run_id is not distinct from $run_id
    )
    where nth > 1
)
where n > 0
