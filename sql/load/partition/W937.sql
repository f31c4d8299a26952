/*
what:   {n:,} {items} of the run {are} in no window: no {stories}, of no known day, or before or after all windows; {it}
        not count
advice: Give stories a published_at, or remove the rows.
*/
select
    first_row.file, first_row.line, first_row.item_id as value, n,
    'item' || if(n = 1, '', 's') as items,
    if(n = 1, 'is', 'are') as are,
    if(n = 1, 'story', 'stories') as stories,
    if(n = 1, 'it does', 'they do') as it
from (
    select
        min({'file': file, 'line': line, 'place': place, 'item_id': item_id}) as first_row,
        count(distinct item_id) as n
    from partition_row
    left join partition_story using (item_id)
    where
        coalesce(day, '') not between (select min(first_day) from partition_window)
        and (select max(last_day) from partition_window)
)
where n > 0
