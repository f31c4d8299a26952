/*
what:   a match offset is negative
advice: Count characters from 0.
*/
select file, line, least(start, "end") as value
from read_matches
where start < 0 or "end" < 0
