/*
what:   no header, expected '# LINK_DETECTION'
advice: Begin the file with the header line.
*/
select coalesce(header.file, known.file) as file, coalesce(line, 1) as line, 1 as at_column,
    coalesce(whole, '') as value
from (select unnest($files) as file) as known
left join header using (file)
where not coalesce(is_header, false)
