/*
what:   the trial has a score already, in {first}
advice: Keep one of the two, or the first of all: repeated_scores = "first" of the run.
most:   20
*/
select file, line, concat_ws(' ', trial_id, test_id, side) as value,
    list_extract($paths, first_row.file + 1) || ':' || first_row.line as first
from (
    select *, row_number() over listed as number, first_value({'file': file, 'line': line}) over listed as first_row
    from scored
    semi join (from run_tally where kind = 'odd') using (run_no)
    where trial_no is not null
    window listed as (partition by run_no, trial_no order by file, line))
join (from base.verification_trial where condition_no = $condition) using (trial_no)
where number > 1
