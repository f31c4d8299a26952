/*
what:   story is already on {earlier_line}, expected every story once
advice: Remove one of them.
field:  {number}
*/
select file, line, docno as value, number, earlier_line
from index_listed
where nth > 1
order by number
