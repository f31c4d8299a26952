/*
what: Of several scores of a trial the first.
*/
from scored
qualify row_number() over (partition by trial_no, unknown, if(trial_no is null, listing, null) order by file, line) = 1
