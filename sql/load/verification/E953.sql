/*
what:   the trial is already in {first}, expected once
advice: Keep one of the two lines; trials that differ in another id need that id in the key. Or set the policy:
        repeated_trials = "first" (count once) or "each" (each line is a trial).
most:   20
*/
select file, line, trial as value, list_extract($paths, first_file + 1) || ':' || first_at as first
from repeated_trial
where not is_other
