/*
what: The runs of files, in their order, and the file that each begins in.
*/
select run_id, min(file) as file, cast(row_number() over (order by min((file, line))) as integer) as run_place
from items_row
group by run_id
