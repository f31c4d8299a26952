/*
what:   targets score lower than non-targets (medians {target:g} and {nontarget:g}): the EER is above 50 %
advice: {advised}
*/
-- the EER exceeds one half: at a threshold above the upper median of the targets and not above the lower one of the
-- non-targets both error rates do; of very many trials every n-th is used
select 0 as file, null as line, null as value, target, nontarget, if($has_sign,
    'Check scores of the condition and higher_is_target of the run.',
    'If a lower score means a target, say higher_is_target = false of the run.') as advised
from (
    select -quantile_disc(-score, 0.5) filter (is_target = 1) as target,
        quantile_disc(score, 0.5) filter (is_target = 0) as nontarget
    from (select segment_no, score from base.decision where run_no = $run and trial_no % $every = 0)
    join (select segment_no, is_target from base.verification_segment where condition_no = $condition)
        using (segment_no))
where target < nontarget
