/*
what:   the key does not have this trial
advice: {advised}
most:   20
*/
select file, line, unknown as value, $advised as advised
from scored
where trial_no is null
