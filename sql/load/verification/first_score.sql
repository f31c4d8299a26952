/*
what: Of several scores of a trial the first.
*/
create or replace temp table scored as
from scored
qualify row_number() over (
    partition by run_no, trial_no, unknown, if(trial_no is null, listing, null) order by file, line) = 1
