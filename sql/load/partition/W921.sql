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
                partition by run_id, block_id, item_id, cluster_id order by file, line, place
            ) as nth
        from partition_row
        where cluster_id is not null and hash(block_id, item_id) in (select item_hash from partition_repeated)
    )
    where nth > 1
    group by run_id
)
