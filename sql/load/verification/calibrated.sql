/*
title:    Scores of a run under the numbers of a condition, which should have the same trials, and calibrated ones
edges:    Of a trial that the condition lacks trial_no is NULL, of one without a score score is.
*/
select segment.block_no, here.trial_no, here.segment_no, there.score, $scale * there.score + $offset as llr
from (
    select *
    from base.verification_trial
    where condition_no = $condition_no
) as here
join base.verification_segment as segment using (condition_no, segment_no)
full join (
    select trial_id, test_id, side, score
    from base.verification_trial
    left join (
        select trial_no, score
        from base.decision
        where run_no = $run_no
    ) as decision using (trial_no)
    where condition_no = $scored_condition_no
) as there
    on here.trial_id = there.trial_id
        and coalesce(here.test_id, '') = coalesce(there.test_id, '')
        and coalesce(here.side, '') = coalesce(there.side, '')
