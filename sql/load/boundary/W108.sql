/*
what:   doctype is not known, expected NEWS, MISCELLANEOUS or UNTRANSCRIBED
advice: The story counts as not news.
field:  doctype
*/
select file, line, at_column, doctype as value
from read_boundary
where doctype not in ('NEWS', 'MISCELLANEOUS', 'UNTRANSCRIBED', 'AUTOMATIC')
