/*
what: The sets of source files of a corpus that is in the store
*/
create or replace temp table set_file as
select coalesce(nullif(heading, ''), title) as heading, source_file
from staging.subset_file
join registry.input_file using (owner, path)
where owner = $owner and kind = 'subset file'
