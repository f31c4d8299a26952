/*
what:   {said}, expected '{expected}'
advice: Begin the file with the header line.
*/
select file, coalesce(line, 1) as line, 1 as at_column, coalesce(whole, '') as value, expected,
    if(coalesce(is_comment, false), 'the header is empty', 'no header') as said
from header
where not coalesce(is_header, false)
