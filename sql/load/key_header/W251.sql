/*
what:   header names another task, expected LINK_DETECTION
advice: The pairs are read.
*/
select file, line, coalesce(starts[1], 1) as at_column, whole as value
from header
where is_header and coalesce(lower(f[1]), '') <> 'link_detection'
