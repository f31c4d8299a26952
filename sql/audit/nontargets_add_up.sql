/*
title:    Non-targets are false alarms and correct rejections
severity: error
inputs:   report.score
*/
select
    run_id, condition_id, profile_id, subset, weighting,
    max(value) filter (metric = 'n_nontarget') as n_nontarget,
    sum(value) filter (metric <> 'n_nontarget') as parts
from report.score
where metric in ('n_nontarget', 'n_false_alarm', 'n_correct_rejection')
group by all
having count(value) = 3 and n_nontarget is distinct from parts
