/*
what:   doctype is not known, expected NEWS, MISCELLANEOUS or UNTRANSCRIBED
advice: The story counts as not news.
*/
select file, line, c[3] as at_column, doctype as value
from read_boundary
where doctype not in ('NEWS', 'MISCELLANEOUS', 'UNTRANSCRIBED', 'AUTOMATIC')
