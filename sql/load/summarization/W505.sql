/*
what:   the importance is outside 0 to 3; accepted, as the {program} program does{many}
advice: Is it what it should be?
*/
select file, min(line) as line, arg_min(importance, line) as value, $program as program,
    if(count(*) = 1, '', '; ' || count(*) || ' such rows') as many
from read_nuggets
where invalid = 0 and importance not between 0 and 3 and importance <= 40
    and ($program in ('ts2014', 'ts2015') or $program = 'ts2013' and importance >= -15)
group by file
