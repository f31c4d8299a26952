/*
what:   collect_date is not a valid date, expected YYYYMMDD or YYYYMMDD_HHMM
advice: It is left empty.
field:  collect_date
*/
select file, line, at_column, collected as value
from read_boundary_set
where collected <> '' and collected_at is null
