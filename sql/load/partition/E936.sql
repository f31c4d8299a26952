/*
what:   the item is not a story with a known day, so it is in no window
advice: Give stories a published_at, or leave out window and step.
*/
select file, line, item_id as value
from partition_row
left join partition_story using (item_id)
where coalesce(day, '') = ''
qualify row_number() over (order by file, line, place) = 1
