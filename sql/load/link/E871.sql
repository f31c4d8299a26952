/*
what:   no trial counts: the key says OTHER of all {n:,} pairs
advice: Correct the key.
*/
select len($paths) as file, null as line, null as value, count(*) as n
from base.link_answer
where condition_no = $condition
having count(*) > 0 and bool_and(answer = 'other')
