/*
what:   targets score lower than non-targets (medians {target:g} and {nontarget:g}): the EER is above 50 %
advice: {advised}
*/
-- the EER exceeds one half: at a threshold above the upper median of the targets and not above the lower one of the
-- non-targets both error rates do; of very many trials every n-th is used, and all of them if these exceed one half
with own as (
    select run_no, trial_no, score, is_target
    from base.decision
    semi join new_run using (run_no)
    join (select segment_no, is_target from base.verification_segment where condition_no = $condition)
        using (segment_no)
),

sampled as (
    select run_no
    from own
    where trial_no % greatest(1, $n_trial // 200000) = 0
    group by run_no
    having -quantile_disc(-score, 0.5) filter (is_target = 1) < quantile_disc(score, 0.5) filter (is_target = 0)
)

select 0 as file, null as line, shown as run, null as value,
    -quantile_disc(-score, 0.5) filter (is_target = 1) as target,
    quantile_disc(score, 0.5) filter (is_target = 0) as nontarget,
    if($has_sign, 'Check scores of the condition and higher_is_target of the run.',
        'If a lower score means a target, say higher_is_target = false of the run.') as advised
from own
semi join sampled using (run_no)
join new_run using (run_no)
group by run_no, shown
having target < nontarget
order by run_no
