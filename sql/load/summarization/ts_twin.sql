/*
what:   Updates with the same text (2015), both ways; the last line that names an id counts.
*/
select update_id, other
from (
    select file, line, update_id, other_id as other from read_duplicates
    union all
    select file, line, other_id, update_id from read_duplicates)
qualify row_number() over (partition by update_id order by file desc, line desc) = 1
