/*
what:   {n:,} {lines} a trial of the key, the first one that of {first}: {done} (repeated_trials)
advice: Check the number.
*/
select file, line, trial as value, n, if(n = 1, 'line repeats', 'lines repeat') as lines,
    list_extract($paths, first_file + 1) || ':' || first_at as first,
    if($repeated_trials = 'first', 'left out', 'separate trials') as done
from (
    select *, count(*) over () as n from repeated_trial where not is_other)
qualify row_number() over (order by file, line) = 1
