/*
what:   all {n:,} {trials} of the key are {class}, expected both labels: EER, costs, Cllr and AUC are NULL
advice: Add the missing trials, or correct target_label and nontarget_label.
*/
select 0 as file, null as line, null as value, cast(sum(n_trial) as bigint) as n,
    if(n = 1, 'trial', 'trials') as trials, if(bool_or(is_target), 'targets', 'non-targets') as class
from key_group
having bool_or(is_target) = bool_and(is_target)
