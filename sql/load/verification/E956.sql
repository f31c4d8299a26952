/*
what:   the trial is a {own} here, and a {other} in the key
advice: Correct the label, or leave it out.
most:   20
*/
select file, line, concat_ws(' ', trial_id, test_id, side) as value, if(said, 'target', 'non-target') as own,
    if(said, 'non-target', 'target') as other
from (select file, line, trial_no, is_target as said from scored where is_target is not null)
join (from base.verification_trial where condition_no = $condition) using (trial_no)
join (from base.verification_segment where condition_no = $condition) using (segment_no)
where said <> (is_target = 1)
