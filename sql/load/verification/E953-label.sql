/*
what:   the trial has the other label in {first}
advice: Keep the line that is right.
most:   20
*/
select file, line, trial as value, list_extract($paths, first_file + 1) || ':' || first_at as first
from repeated_trial
where is_other
