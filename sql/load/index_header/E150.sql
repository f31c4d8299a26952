/*
what:   {said}, expected '{expected}'
advice: Begin the file with the header line.
*/
select known.file, coalesce(line, 1) as line, 1 as at_column, coalesce(whole, '') as value, $header as expected,
    if(coalesce(is_comment, false), 'the header is empty', 'no header') as said
from (select unnest($files) as file) as known
left join header using (file)
where not coalesce(is_header, false)
