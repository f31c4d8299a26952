/*
what: Trials of the key without a score, as rejected at every threshold.
*/
insert into base.decision (run_no, block_no, trial_no, segment_no, is_yes, score)
select $run, block_no, trial_no, segment_no, if($has_decisions, false, null), cast('-infinity' as double)
from (from base.verification_trial where condition_no = $condition)
join (select segment_no, block_no from base.verification_segment where condition_no = $condition) using (segment_no)
anti join scored using (trial_no)
order by block_no, trial_no
