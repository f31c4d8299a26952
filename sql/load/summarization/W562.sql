/*
what:   run {run} has {n} events: the ts2013 program prints no means of runs with fewer than 3; these means are computed
advice: Report them as computed here.
*/
select arg_min(file, place) as file, null as line, null as value, run_id as run, count(distinct block_no) as n
from run_row
where $program = 'ts2013'
group by run_id
having n < 3
